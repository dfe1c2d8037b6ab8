import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { type CalendarDate, periodOf } from "../../domain/period.ts";
import type { Book } from "../../domain/profile.ts";

/** A change of an input of a run. Without `effectiveOn` it takes effect in every month: a new profile, a disposal. */
export type ChangedInput = { assetId: string; effectiveOn?: CalendarDate | undefined };

/**
 * Says that inputs of a book change in this transaction: of profiles, by a disposal or a deletion. A draft of their month
 * or a later one becomes stale; a run that is computing computes the assets again. Call it once in the transaction, also if
 * no run is known to be live: it orders the change against a run that begins or is accepted at this moment.
 */
export async function touchLiveRun(
  { stores }: Pick<Context, "stores">,
  session: ClientSession,
  workspaceId: string,
  book: Book,
  changes: readonly ChangedInput[],
): Promise<void> {
  await stores.bookGates.pass(workspaceId, book, session);
  const run = await stores.runs.findLive(workspaceId, book, session);
  if (run === undefined) return;
  const touching = changes.filter(
    ({ effectiveOn }) => effectiveOn === undefined || periodOf(effectiveOn) <= run.period,
  );
  if (touching.length === 0) return;
  if (run.status === "draft" && !run.stale) await stores.runs.setStale(workspaceId, run.id, session);
  if (run.status === "computing") {
    const assetIds = touching.map(({ assetId }) => assetId);
    await stores.runChanges.add(workspaceId, run.id, assetIds, session);
  }
}
