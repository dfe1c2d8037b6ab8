import { isDuplicateKey } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import type { User } from "../../domain/user.ts";
import { type NewWorkspace, newWorkspace, type Workspace } from "../../domain/workspace.ts";
import { workspaceCreated } from "../../published.ts";
import { USERS_BY_EMAIL } from "../../store/users.ts";
import { assertNewPassword } from "../assert-new-password.ts";
import { auditEntry } from "../audit-entry.ts";

export type CreateWorkspace = NewWorkspace & { adminEmail: string; adminName: string; adminPassword: string };
export type CreatedWorkspace = { created: boolean; workspace: Workspace; admin: User };

/**
 * Creates a workspace and its first admin. If the email has an account, nothing is created and the existing workspace
 * is returned. So a repeat is harmless.
 */
export async function createWorkspace(
  context: Context,
  { adminEmail, adminName, adminPassword, ...settings }: CreateWorkspace,
  call: Omit<Caller, "workspaceId">,
): Promise<CreatedWorkspace> {
  const owner = { email: adminEmail, name: adminName, workspaceName: settings.name };
  await assertNewPassword(context, "admin_password", adminPassword, owner);
  const existing = await findExisting(context, adminEmail);
  if (existing !== undefined) return existing;

  const { mongo, stores, outbox, passwords, now } = context;
  const at = now();
  const workspace = newWorkspace(newId("wsp"), settings, at);
  const workspaceId = workspace.id;
  const admin: User = {
    id: newId("usr"),
    workspaceId,
    email: adminEmail,
    name: adminName,
    passwordHash: await passwords.hash(adminPassword),
    capabilities: ["admin"],
    status: "active",
    rev: 1,
    createdAt: at,
    updatedAt: at,
  };
  const changes = [{ field: "admin_id", after: admin.id }];
  const entry = auditEntry({ ...call, workspaceId }, at, "workspace.created", workspaceId, changes);
  try {
    return await mongo.transaction(call, async (session) => {
      await stores.workspaces.insert(workspaceId, workspace, session);
      await stores.users.insert(workspaceId, admin, session);
      await outbox.add(session, workspaceCreated(workspace));
      await stores.auditLog.append(workspaceId, [entry], session);
      return { created: true, workspace, admin };
    });
  } catch (error) {
    // Of two concurrent calls with one email the other one succeeded.
    const winner = isDuplicateKey(error, USERS_BY_EMAIL) && (await findExisting(context, adminEmail));
    if (winner) return winner;
    throw error;
  }
}

async function findExisting({ stores }: Context, email: string): Promise<CreatedWorkspace | undefined> {
  const admin = await stores.credentials.findUser(email);
  const workspace = admin && (await stores.workspaces.get(admin.workspaceId));
  return workspace && { created: false, workspace, admin };
}
