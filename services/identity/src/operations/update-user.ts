import { changesBetween, conflict, invalid, notFound, requireRev } from "@asset-register/runtime";
import type { ClientSession } from "mongoose";
import type { Caller, Identity } from "../context.ts";
import { type Act, act } from "../domain/audit.ts";
import { changeUser, checkUserChange, isActiveAdmin, type User, type UserChange } from "../domain/user.ts";

export type UpdateUser = UserChange & { id: string; ifRevIn: readonly number[] };

/** Changes name, rights or status of a user of the caller's workspace; gateways know at once. */
export async function updateUser(
  identity: Identity,
  { id, ifRevIn, ...wanted }: UpdateUser,
  caller: Caller,
): Promise<User> {
  const violations = checkUserChange(wanted);
  if (violations.length > 0) throw invalid(violations);
  const { mongo, users, sessions, audit, versions, clock } = identity;
  const { workspaceId } = caller;
  const after = await mongo.transaction(caller, async (session) => {
    const now = clock();
    const before = await users.find(workspaceId, id, session);
    if (before === undefined) throw notFound();
    requireRev(before.version, ifRevIn);
    const user = changeUser(before, wanted, now);
    if (user === before) return user;
    if (isActiveAdmin(before) && !isActiveAdmin(user)) await lose(identity, workspaceId, session);
    if (!(await users.replace(workspaceId, user, before.version, session))) {
      throw conflict("CONFLICT", "The user was changed at the same time");
    }
    if (user.status === "disabled") {
      await sessions.revokeAll(workspaceId, { userId: id }, "admin", now, session);
    }
    for (const done of acts(before, user, caller)) await audit.add(workspaceId, done, session);
    return user;
  });
  await versions.raise(id, after.version);
  return after;
}

/** An active admin is about to go: another one has to be there. */
async function lose({ users, workspaces }: Identity, workspaceId: string, session: ClientSession) {
  await workspaces.adminGoes(workspaceId, session);
  if ((await users.countActiveAdmins(workspaceId, session)) > 1) return;
  throw conflict("LAST_ADMIN", "A workspace needs an active admin, and this is the last one");
}

function acts(before: User, after: User, by: Pick<Caller, "actor" | "requestId">): Act[] {
  const { id, updatedAt: at } = after;
  const name = changesBetween({ name: before.name }, { name: after.name });
  const rights = changesBetween(rightsOf(before), rightsOf(after));
  const status = after.status === "disabled" ? "user.disabled" : "user.enabled";
  return [
    ...(name.length > 0 ? [act(by, at, "user.renamed", id, name)] : []),
    ...(rights.length > 0 ? [act(by, at, "user.rights_changed", id, rights)] : []),
    ...(before.status === after.status ? [] : [act(by, at, status, id)]),
  ];
}

const rightsOf = ({ capabilities }: User) => ({ capabilities: capabilities.join(" ") });
