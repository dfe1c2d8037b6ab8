import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { assertCanCancel, type Session } from "../domain/session.ts";
import { sessionCancelled, statusAudit } from "../published.ts";
import type { SessionInput } from "./open-session.ts";

/** Ends a session without a result. An opening that is going on stops. */
export function cancelSession(
  { mongo, outbox, stores, now }: Context,
  { id, ifRevIn }: SessionInput,
  call: Call,
): Promise<Session> {
  const { workspaceId } = call;
  return mongo.transaction(call, async (transaction) => {
    const before = requireFound(await stores.sessions.get(workspaceId, id, transaction), "session");
    requireRev(before.rev, ifRevIn);
    assertCanCancel(before);
    const at = now();
    const after = await stores.sessions.change(
      workspaceId,
      before,
      { status: "cancelled" },
      { event: true, transaction },
    );
    const audit = statusAudit(call, at, "stocktake.cancelled", { before, after });
    await outbox.add(transaction, sessionCancelled(after, at), audit);
    return after;
  });
}
