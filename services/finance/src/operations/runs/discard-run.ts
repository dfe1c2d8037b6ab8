import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { assertCanDiscard, type Run, statusChange } from "../../domain/runs/run.ts";
import { runAudit } from "../../published.ts";

export type RunInput = { id: string; ifRevIn: readonly number[] };

/**
 * Ends a run that books nothing. Computing stops. Its rows are removed: those of a large run while this has returned.
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, RUN_STATE
 */
export async function discardRun(context: Context, { id, ifRevIn }: RunInput, call: Call): Promise<Run> {
  const { mongo, outbox, removing, stores, now } = context;
  const { workspaceId } = call;
  const discarded = await mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.runs.get(workspaceId, id, session), "run");
    requireRev(before.rev, ifRevIn);
    assertCanDiscard(before);
    const after = await stores.runs.change(workspaceId, before, { status: "discarded", ...nothing }, session);
    await stores.runRemovals.insert(workspaceId, id, session);
    const changes = statusChange(before.status, after.status);
    await outbox.add(session, runAudit(call, now(), "depr_run.discarded", id, changes));
    return after;
  });
  await removing.finishQuickly({ _id: id, workspaceId });
  return discarded;
}

/** A discarded run shows no result. */
const nothing = {
  ...{ totals: { assets: 0, lines: 0, current: 0, catchUp: 0, impairment: 0 }, amounts: {} },
  ...{ warnings: [], skipped: [], skippedCount: 0, stale: false, progress: { done: 0, total: 0 } },
};
