import { type Call, holds } from "@asset-register/rpc";
import { forbidden, notFound } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { act } from "../domain/audit.ts";
import type { Session } from "../domain/session.ts";

/** A session as its user sees it. */
export type DeviceSession = { session: Session; current: boolean };

/** Ends the caller's session on a device; for an admin, everybody's on it. */
export async function revokeDevice(
  identity: Identity,
  { deviceUuid }: { deviceUuid: string },
  call: Call,
): Promise<DeviceSession> {
  const { mongo, sessions, versions, audit, clock } = identity;
  const { principal } = call;
  if (principal.kind !== "user") throw forbidden("Devices are those of users");
  const { workspaceId, id } = principal;
  const userId = holds(principal, "admin") ? undefined : id;
  const device = deviceUuid.toLowerCase();

  const after = await mongo.transaction(call, async (transaction) => {
    const now = clock();
    const found = await sessions.onDevice(workspaceId, { deviceUuid: device, userId }, transaction);
    const [last] = found;
    if (last === undefined) throw notFound();
    const ended: Session[] = [];
    for (const session of found) {
      const reason = session.userId === id ? "owner" : "admin";
      const version = await sessions.revoke(workspaceId, session.id, reason, now, transaction);
      if (version === undefined) continue;
      ended.push({ ...session, version, revokedAt: now, revokedFor: reason });
      const changes = [{ field: "device_uuid", before: device }];
      await audit.add(workspaceId, act(call, now, "device.revoked", session.userId, changes), transaction);
    }
    const shown = found.find((session) => session.userId === id) ?? last;
    const session = ended.find((one) => one.id === shown.id) ?? shown;
    return { session, current: session.id === principal.sessionId, ended };
  });
  await Promise.all(after.ended.map(({ id: sessionId, version }) => versions.raise(sessionId, version)));
  return after;
}
