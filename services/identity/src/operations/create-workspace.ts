import { isDuplicateKey } from "@asset-register/mongo";
import { invalid, newId } from "@asset-register/runtime";
import type { Caller, Identity } from "../context.ts";
import { act } from "../domain/audit.ts";
import { checkNewUser, type NewUser, type User } from "../domain/user.ts";
import { checkNewWorkspace, type NewWorkspace, newWorkspace, type Workspace } from "../domain/workspace.ts";
import { workspaceCreated } from "../published.ts";
import { USERS_BY_EMAIL } from "../store/users.ts";

export type CreateWorkspace = NewWorkspace & { admin: NewUser };
export type CreatedWorkspace = { created: boolean; workspace: Workspace; admin: User };

/**
 * A workspace with its first admin. An email that has an account already makes
 * nothing and answers what is there, so that seeding twice is harmless.
 */
export async function createWorkspace(
  identity: Identity,
  input: CreateWorkspace,
  caller: Omit<Caller, "workspaceId">,
): Promise<CreatedWorkspace> {
  const { admin, ...settings } = input;
  const violations = [...checkNewWorkspace(settings), ...checkNewUser(admin, "admin_")];
  if (violations.length > 0) throw invalid(violations);
  const existing = await findExisting(identity, admin.email);
  if (existing !== undefined) return existing;

  const { mongo, workspaces, users, outbox, audit, clock, passwords } = identity;
  const now = clock();
  const workspace = newWorkspace(newId("wsp"), settings, now);
  const user: User = {
    id: newId("usr"),
    workspaceId: workspace.id,
    email: admin.email.trim(),
    name: admin.name.trim(),
    passwordHash: await passwords.hash(admin.password),
    capabilities: ["admin"],
    status: "active",
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  try {
    return await mongo.transaction(caller, async (session) => {
      await workspaces.insert(workspace.id, workspace, session);
      await users.insert(workspace.id, user, session);
      await outbox.add(session, workspaceCreated(workspace));
      const changes = [{ field: "admin_id", after: user.id }];
      await audit.add(workspace.id, act(caller, now, "workspace.created", workspace.id, changes), session);
      return { created: true, workspace, admin: user };
    });
  } catch (error) {
    // Two at once: the unique email let one through, and this is the other.
    const winner = isDuplicateKey(error, USERS_BY_EMAIL) && (await findExisting(identity, admin.email));
    if (winner) return winner;
    throw error;
  }
}

async function findExisting(identity: Identity, email: string): Promise<CreatedWorkspace | undefined> {
  const admin = await identity.credentials.user(email);
  const workspace = admin && (await identity.workspaces.find(admin.workspaceId));
  return workspace && { created: false, workspace, admin };
}
