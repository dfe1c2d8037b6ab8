import type { Call } from "@asset-register/rpc";
import { unauthenticated } from "@asset-register/runtime";
import type { Identity } from "../context.ts";
import { act } from "../domain/audit.ts";

/** Ends the caller's session. Ending it twice is no error. */
export async function logout(
  { mongo, sessions, versions, audit, clock }: Identity,
  call: Pick<Call, "principal" | "actor" | "requestId" | "deadline">,
): Promise<void> {
  const { principal, deadline } = call;
  if (principal.kind !== "user") throw unauthenticated();
  const { workspaceId, sessionId, id, deviceUuid } = principal;
  const version = await mongo.transaction({ deadline }, async (transaction) => {
    const now = clock();
    const ended = await sessions.revoke(workspaceId, sessionId, "logout", now, transaction);
    if (ended === undefined) return undefined;
    const device = { field: "device_uuid", before: deviceUuid };
    await audit.add(workspaceId, act(call, now, "session.signed_out", id, [device]), transaction);
    return ended;
  });
  if (version !== undefined) await versions.raise(sessionId, version);
}
