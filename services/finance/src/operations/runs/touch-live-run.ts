import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import type { Run } from "../../domain/runs/run.ts";
import { type CalendarDate, periodOf } from "../../domain/schedule/period.ts";

/** A change of an input of a run. Without `effectiveOn` it takes effect in every month. */
export type ChangedInput = {
  assetId: string;
  effectiveOn?: CalendarDate | undefined;
  /** It changes nothing but lines of the asset: a disposal, a deletion. */
  ofLines?: boolean | undefined;
};

/**
 * Says that inputs of a book change in this transaction: of profiles, by a disposal or a deletion. A draft of their month
 * or a later one becomes stale, and remembers the assets; a run that is computing computes them again. Call it once in the transaction, also if
 * no run is known to be live: it orders the change against a run that begins or is accepted at this moment.
 */
export async function touchLiveRun(
  context: Context,
  session: ClientSession,
  workspaceId: string,
  book: Book,
  changes: readonly ChangedInput[],
): Promise<void> {
  const { stores } = context;
  await stores.bookGates.pass(workspaceId, book, session);
  const run = await stores.runs.findLive(workspaceId, book, session);
  if (run === undefined) return;
  const touching = changes.filter(
    ({ effectiveOn }) => effectiveOn === undefined || periodOf(effectiveOn) <= run.period,
  );
  const assetIds =
    run.status === "draft"
      ? await withLines(context, run, touching, session)
      : touching.map(({ assetId }) => assetId);
  if (assetIds.length === 0 || run.status === "posting") return;
  await stores.runChanges.add(workspaceId, run.id, assetIds, session);
  if (run.status === "draft" && !run.stale) await stores.runs.setStale(workspaceId, run.id, session);
}

/** The assets without those of which the draft has no line that could change. */
async function withLines(
  { stores }: Context,
  { id, workspaceId }: Run,
  changes: readonly ChangedInput[],
  session: ClientSession,
): Promise<string[]> {
  const ids = changes.flatMap(({ assetId, ofLines }) => (ofLines ? [assetId] : []));
  const lines = ids.length === 0 ? [] : await stores.runLines.ofAssets(workspaceId, id, ids, session);
  const lined = new Set(lines.map(({ assetId }) => assetId));
  return changes.flatMap(({ assetId, ofLines }) => (ofLines && !lined.has(assetId) ? [] : [assetId]));
}
