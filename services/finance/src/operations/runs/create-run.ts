import { keepAnswer } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { localDate, newId } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import { assertCanCreate, noTotals, type Run, statusChange } from "../../domain/runs/run.ts";
import { type Period, periodOf } from "../../domain/schedule/period.ts";
import { runAudit } from "../../published.ts";

export type NewRun = { book: Book; period: Period };

/**
 * Begins to compute a month. A large run is still computing when this returns.
 * @throws AppError RUN_LIVE, RUN_EXISTS, VALIDATION_FAILED on month
 */
export async function createRun(context: Context, input: NewRun, call: Call): Promise<Run> {
  const { depreciating, mongo, outbox, stores, now } = context;
  const { workspaceId } = call;
  const { book, period } = input;
  const { timeZone, currency } = await requireWorkspace(context, workspaceId);
  const createdAt = now();
  const currentPeriod = periodOf(localDate(createdAt, timeZone));
  const { id } = await mongo.transaction(call, async (session) => {
    await stores.bookGates.close(workspaceId, book, session);
    assertCanCreate(period, currentPeriod, {
      live: await stores.runs.findLive(workspaceId, book, session),
      posted: await stores.runs.findPosted(workspaceId, book, period, session),
      lastPosted: await stores.runs.lastPosted(workspaceId, book, session),
    });
    const run: Run = {
      ...{ id: newId("run"), workspaceId, book, period, currency, status: "computing", stale: false },
      ...{ progress: { done: 0, total: 0 }, phase: "assets", after: "" },
      ...{ totals: noTotals, amounts: {}, warnings: [], skipped: [], skippedCount: 0 },
      ...{ createdAt, createdBy: call.actor, rev: 1 },
    };
    await stores.runs.insert(workspaceId, run, session);
    await outbox.add(
      session,
      runAudit(call, createdAt, "depr_run.created", run.id, statusChange(undefined, run.status)),
    );
    return run;
  });
  const answer = stores.runs.toRecord(await depreciating.finishQuickly({ _id: id, workspaceId }));
  await keepAnswer(mongo, call, answer);
  return answer;
}
