import { isContentFailure } from "@asset-register/mongo";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { movedProfiles } from "../../domain/ledger/booked-value.ts";
import type { Run } from "../../domain/runs/run.ts";
import { toLedgerRow } from "../../domain/runs/run-line.ts";
import { runPosted } from "../../published.ts";
import type { RunChunk, RunDocument } from "../../store/runs/runs.ts";
import { publishStates } from "../ledger/publish-states.ts";

/** Lines of one transaction. */
const PAGE = 500;

/** The next step of a run that is posting. The draft was accepted, so every failure is retried. */
export async function postLines(context: Context, document: RunDocument): Promise<RunChunk> {
  const run = context.stores.runs.toRecord(document);
  await requireActive(context, run.workspaceId);
  try {
    return await postNext(context, run);
  } catch (error) {
    if (isContentFailure(error)) throw new Error("posting cannot fail by its content", { cause: error });
    throw error;
  }
}

async function postNext(context: Context, run: Run): Promise<RunChunk> {
  const { stores, outbox, now } = context;
  const { id: runId, workspaceId, book, period, currency, after, progress } = run;
  const lines = await stores.runLines.page(workspaceId, runId, after, PAGE);
  const rows = lines.map((line) => toLedgerRow(line, book, period));
  const isLast = lines.length < PAGE;
  const at = now();
  // Before this run is stored as posted. No other run of the book is posted meanwhile.
  const before = isLast ? await stores.runs.lastPosted(workspaceId, book) : undefined;
  return {
    progress: { done: progress.done + lines.length, total: progress.total },
    set: { after: lines.at(-1)?.id ?? after, ...(isLast && { postedAt: at }) },
    ...(isLast && { status: "posted", inc: { rev: 1 } }),
    async save(session) {
      const carries = lines.flatMap(({ profileId, carry }) => (carry ? [{ profileId, carry }] : []));
      await stores.ledger.insertMany(workspaceId, rows, session);
      const profiles = await stores.profiles.saveCarries(workspaceId, carries, session);
      const moved = movedProfiles(profiles, rows);
      await stores.bookedAmounts.add(
        workspaceId,
        [...rows, ...moved.flatMap(({ values }) => values)],
        session,
      );
      await stores.profiles.saveCategories(workspaceId, moved, session);
      if (isLast) await outbox.add(session, runPosted({ ...run, rev: run.rev + 1 }, before, at));
      if (book !== "book" || profiles.length === 0) return;
      const updates = profiles.map(({ assetId, cost, openingAccumulated, carry }) => {
        const accumulated = openingAccumulated + carry.accumulated;
        return { assetId, set: { accumulated, nbv: cost - accumulated } };
      });
      await publishStates(context, session, updates, { workspaceId, currency, change: "posted", at });
    },
  };
}
