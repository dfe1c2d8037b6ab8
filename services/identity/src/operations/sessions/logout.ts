import type { Call } from "@asset-register/rpc";
import { unauthenticated } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { auditEntry } from "../audit-entry.ts";

/** Ends the caller's session. Ending it twice is not an error. */
export async function logout({ mongo, stores, credentialVersions, now }: Context, call: Call): Promise<void> {
  const { principal, deadline } = call;
  if (principal.kind !== "user") throw unauthenticated();
  const { workspaceId, sessionId, id, deviceUuid } = principal;
  const rev = await mongo.transaction({ deadline }, async (transaction) => {
    const at = now();
    const ended = await stores.sessions.revoke(workspaceId, sessionId, "logout", at, transaction);
    if (ended === undefined) return undefined;
    const changes = [{ field: "device_uuid", before: deviceUuid }];
    const entry = auditEntry(call, at, "session.signed_out", id, changes);
    await stores.auditLog.append(workspaceId, [entry], transaction);
    return ended;
  });
  if (rev !== undefined) await credentialVersions.raise(sessionId, rev);
}
