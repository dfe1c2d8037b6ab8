import { type Call, holds } from "@asset-register/rpc";
import { forbidden, notFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { DeviceView, Session } from "../../domain/session.ts";
import { auditEntry } from "../audit-entry.ts";

export type RevokeDevice = { deviceUuid: string };

/** Ends the caller's session on a device. An admin ends the sessions of all users on it. */
export async function revokeDevice(
  { mongo, stores, credentialVersions, now }: Context,
  { deviceUuid }: RevokeDevice,
  call: Call,
): Promise<DeviceView> {
  const { principal } = call;
  if (principal.kind !== "user") throw forbidden("Only users have devices.");
  const { workspaceId, id } = principal;
  const userId = holds(principal, "admin") ? undefined : id;

  const after = await mongo.transaction(call, async (transaction) => {
    const at = now();
    const found = await stores.sessions.listOnDevice(workspaceId, { deviceUuid, userId }, transaction);
    const [lastSeen] = found;
    if (lastSeen === undefined) throw notFound("device");
    const ended: Session[] = [];
    for (const session of found) {
      const reason = session.userId === id ? "owner" : "admin";
      const rev = await stores.sessions.revoke(workspaceId, session.id, reason, at, transaction);
      if (rev !== undefined) ended.push({ ...session, rev, revokedAt: at, revokedFor: reason });
    }
    const changes = [{ field: "device_uuid", before: deviceUuid }];
    const entries = ended.map((session) => auditEntry(call, at, "device.revoked", session.userId, changes));
    await stores.auditLog.append(workspaceId, entries, transaction);
    const shown = found.find((session) => session.userId === id) ?? lastSeen;
    const session = ended.find((one) => one.id === shown.id) ?? shown;
    return { session, current: session.id === principal.sessionId, ended };
  });
  await Promise.all(after.ended.map((session) => credentialVersions.raise(session.id, session.rev)));
  return after;
}
