import { keepAnswer } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { newRun } from "../../domain/reconcile/run.ts";
import { reconcilable, type Session } from "../../domain/session.ts";
import type { SessionInput } from "../open-session.ts";

/**
 * Compares what was scanned with what is expected. A large session is still reconciling when this returns. While it is,
 * another call gets the same record.
 */
export async function reconcileSession(
  context: Context,
  { id, ifRevIn }: SessionInput,
  call: Call,
): Promise<Session> {
  const { counting, mongo, stores, now } = context;
  const { workspaceId } = call;
  await requireWorkspace(context, workspaceId);
  await mongo.transaction(call, async (transaction) => {
    const before = requireFound(await stores.sessions.get(workspaceId, id, transaction), "session");
    requireRev(before.rev, ifRevIn);
    if (before.status === "reconciling") return before;
    const run = newRun({ seq: before.scanSeq, until: now(), before: reconcilable(before) });
    const progress = { done: 0, total: before.scans + before.expected };
    const change = { status: "reconciling" as const, run, progress, error: undefined };
    return stores.sessions.change(workspaceId, before, change, { transaction });
  });
  const answer = stores.sessions.toRecord(await counting.finishQuickly({ _id: id, workspaceId }));
  await keepAnswer(mongo, call, answer);
  return answer;
}
