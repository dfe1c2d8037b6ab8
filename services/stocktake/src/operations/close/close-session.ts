import { keepAnswer } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertCanClose, type Session } from "../../domain/session.ts";
import { sessionClosed, statusAudit } from "../../published.ts";
import type { SessionInput } from "../open-session.ts";

/**
 * Ends a session, by one save that a concurrent scan, resolution or closing would refuse. The assets that it has seen
 * are marked afterwards: for a large session this continues after the return.
 */
export async function closeSession(
  context: Context,
  { id, ifRevIn }: SessionInput,
  call: Call,
): Promise<Session> {
  const { mongo, outbox, stamping, stores, now } = context;
  const { workspaceId } = call;
  await requireWorkspace(context, workspaceId);
  await mongo.transaction(call, async (transaction) => {
    const before = requireFound(await stores.sessions.get(workspaceId, id, transaction), "session");
    requireRev(before.rev, ifRevIn);
    assertCanClose(before);
    const closedAt = now();
    const progress = { done: 0, total: before.result?.seen ?? 0 };
    const change = { status: "closed" as const, closedAt, stamped: progress };
    const options = { event: true, transaction };
    const after = await stores.sessions.change(workspaceId, before, change, options);
    const work = {
      id,
      workspaceId,
      status: "stamping" as const,
      progress,
      after: "",
      closedAt,
      by: call.actor,
    };
    await stores.stampings.insert(workspaceId, work, transaction);
    const audit = statusAudit(call, closedAt, "stocktake.closed", { before, after });
    await outbox.add(transaction, sessionClosed(after, closedAt), audit);
    return after;
  });
  await stamping.finishQuickly({ _id: id, workspaceId });
  const answer = requireFound(await stores.sessions.get(workspaceId, id), "session");
  await keepAnswer(mongo, call, answer);
  return answer;
}
