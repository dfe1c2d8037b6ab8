import type { ClientSession } from "@asset-register/mongo";
import { changesBetween, conflict, requireFound, requireRev } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import { changeUser, isActiveAdmin, type User, type UserChange } from "../../domain/user.ts";
import { auditEntry } from "../audit-entry.ts";
import { requireRecent } from "../sessions/require-recent.ts";

export type UpdateUser = UserChange & { id: string; ifRevIn: readonly number[] };

/** Changes the name, rights or status of a user, with effect at every gateway at once. */
export async function updateUser(
  context: Context,
  { id, ifRevIn, ...change }: UpdateUser,
  call: Caller,
): Promise<User> {
  const { mongo, stores, credentialVersions, now } = context;
  const { workspaceId } = call;
  const after = await mongo.transaction(call, async (session) => {
    const at = now();
    const before = requireFound(await stores.users.get(workspaceId, id, session), "user");
    requireRev(before.rev, ifRevIn);
    const user = changeUser(before, change, at);
    if (user === before) return user;
    if (isActiveAdmin(before) && !isActiveAdmin(user)) {
      await assertAnotherAdmin(context, workspaceId, session);
    }
    if (user.capabilities.join() !== before.capabilities.join()) await requireRecent(context, call);
    await stores.users.save(workspaceId, user, before.rev, session);
    if (user.status === "disabled") {
      await stores.sessions.revokeAll(workspaceId, { userId: id }, "admin", at, session);
      await stores.accountTokens.removeAll(workspaceId, { userId: id }, session);
    }
    await stores.auditLog.append(workspaceId, auditEntries(before, user, call), session);
    return user;
  });
  await credentialVersions.raise(id, after.rev);
  return after;
}

async function assertAnotherAdmin({ stores }: Context, workspaceId: string, session: ClientSession) {
  await stores.workspaces.lockAdmins(workspaceId, session);
  if ((await stores.users.countActiveAdmins(workspaceId, session)) > 1) return;
  throw conflict("LAST_ADMIN", "A workspace needs an active admin, and this user is the last one.", [
    { field: "admin", message: "is the last active one" },
  ]);
}

/** One entry for each kind of change, so that each can be searched for. */
function auditEntries(before: User, after: User, by: Caller): AuditEntry[] {
  const { id, updatedAt: at } = after;
  const name = changesBetween({ name: before.name }, { name: after.name });
  const rights = changesBetween({ capabilities: before.capabilities }, { capabilities: after.capabilities });
  const status = after.status === "disabled" ? "user.disabled" : "user.enabled";
  return [
    ...(name.length > 0 ? [auditEntry(by, at, "user.renamed", id, name)] : []),
    ...(rights.length > 0 ? [auditEntry(by, at, "user.rights_changed", id, rights)] : []),
    ...(before.status === after.status ? [] : [auditEntry(by, at, status, id)]),
  ];
}
