import type { Call } from "@asset-register/rpc";
import { unauthenticated } from "@asset-register/runtime";
import type { Identity } from "../context.ts";

/** Ends the caller's session. Ending it twice is no error. */
export async function logout(
  { sessions, versions, clock }: Identity,
  { principal }: Pick<Call, "principal">,
): Promise<void> {
  if (principal.kind !== "user") throw unauthenticated();
  const { workspaceId, sessionId } = principal;
  const version = await sessions.revoke(workspaceId, sessionId, "logout", clock());
  if (version !== undefined) await versions.raise(sessionId, version);
}
