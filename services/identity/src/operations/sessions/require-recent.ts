import { AppError } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import { isRecent } from "../../domain/session.ts";

/**
 * Requires that the caller has signed in or reauthenticated within 10 minutes. Operators have no session.
 * @throws AppError REAUTHENTICATION_REQUIRED. It is 403, because clients refresh on 401, which does not help here
 */
export async function requireRecent({ stores, now }: Context, { principal }: Caller): Promise<void> {
  if (principal === undefined) return;
  if (principal.kind === "user") {
    const session = await stores.sessions.get(principal.workspaceId, principal.sessionId);
    if (session !== undefined && isRecent(session, now())) return;
  }
  throw new AppError({
    kind: "forbidden",
    code: "REAUTHENTICATION_REQUIRED",
    message: "This request needs a recent sign-in. Reauthenticate, then send it again.",
  });
}
