import { keepAnswer } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev, unavailable } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertCanPost, assertFresh, NAMED, type Run, statusChange } from "../../domain/runs/run.ts";
import { runAudit } from "../../published.ts";
import type { RunInput } from "./discard-run.ts";

/** Of the whole call: applying register's changes, then posting. */
const BUDGET_MS = 2_000;
/** When a caller may try again while register's changes are being applied. */
const RETRY_MS = 2_000;

/**
 * Accepts a draft: its lines are what is posted. A large run is still posting when this returns.
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, RUN_STATE, RUN_STALE; UNAVAILABLE while register has changes that are
 *   not applied yet, or cannot be asked
 */
export async function postRun(context: Context, input: RunInput, call: Call): Promise<Run> {
  const { depreciating, mongo, outbox, stores, syncing, now } = context;
  const { workspaceId } = call;
  const { id, ifRevIn } = input;
  await requireWorkspace(context, workspaceId);
  check(await stores.runs.get(workspaceId, id), ifRevIn);

  const end = performance.now() + BUDGET_MS;
  await stores.assetSyncs.beginFor(workspaceId, id, now());
  const { status } = await syncing.finishQuickly({ _id: workspaceId, workspaceId }, BUDGET_MS);
  if (status !== "applied") {
    throw unavailable("The newest changes of assets are being applied. Post the run again soon.", RETRY_MS);
  }
  await stores.assetSyncs.endFor(workspaceId, id);

  await mongo.transaction(call, async (session) => {
    const draft = check(await stores.runs.get(workspaceId, id, session), ifRevIn);
    await stores.bookGates.close(workspaceId, draft.book, session);
    assertFresh(draft, await stores.runChanges.summary(workspaceId, id, NAMED, session));
    const progress = { done: 0, total: draft.totals.lines };
    const change = { status: "posting" as const, progress, after: "", postedBy: call.actor };
    const posting = await stores.runs.change(workspaceId, draft, change, session);
    const changes = statusChange(draft.status, posting.status);
    await outbox.add(session, runAudit(call, now(), "depr_run.posted", id, changes));
    return posting;
  });
  const left = Math.max(0, end - performance.now());
  const answer = stores.runs.toRecord(await depreciating.finishQuickly({ _id: id, workspaceId }, left));
  await keepAnswer(mongo, call, answer);
  return answer;
}

function check(found: Run | undefined, ifRevIn: readonly number[]): Run {
  const run = requireFound(found, "run");
  requireRev(run.rev, ifRevIn);
  assertCanPost(run);
  return run;
}
