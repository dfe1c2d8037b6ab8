import { batches } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { HOUR_MS } from "../../domain/readers/activity-range.ts";
import {
  firstMissing,
  type HourOfWeek,
  hourOfWeekIn,
  newBaseline,
  withHours,
} from "../../domain/readers/baseline.ts";
import type { JudgedReader } from "../../store/readers/judged-readers.ts";

/** Activity that a replica has shared and not written is lost after this time, so an hour does not change any more. */
const WRITTEN_AFTER_MS = 600_000;
/** The hours of so many readers are read together: at first four weeks of each. */
const TOGETHER = 100;

/**
 * Adds the hours that are over to the baselines of the fixed portals. An hour is taken once: a sweep that was killed, or
 * that runs again, continues where the baseline ends.
 */
export async function takeBaselines(context: Context, signal: AbortSignal): Promise<void> {
  const { stores, logger, now } = context;
  const until = new Date(Math.floor((now().getTime() - WRITTEN_AFTER_MS) / HOUR_MS) * HOUR_MS);
  for (const workspaceId of await stores.judgedReaders.listWorkspaces()) {
    if (signal.aborted) return;
    try {
      await takeOfWorkspace(context, workspaceId, until);
    } catch (error) {
      logger.warn({ err: error, workspaceId }, "baselines were not taken; the next sweep retries");
    }
  }
}

async function takeOfWorkspace({ stores }: Context, workspaceId: string, until: Date): Promise<void> {
  const workspace = await stores.workspaces.get(workspaceId);
  if (workspace?.active === false) return;
  const hourOfWeek = hourOfWeekIn(workspace?.timeZone || "UTC");
  const portals = (await stores.judgedReaders.list(workspaceId)).filter(
    ({ kind }) => kind === "fixed_portal",
  );
  for (const some of batches(portals, TOGETHER))
    await takeSome(stores, some, { workspaceId, until, hourOfWeek });
}

type Taking = { workspaceId: string; until: Date; hourOfWeek: HourOfWeek };

async function takeSome(
  { readerBaselines, readerHours }: Context["stores"],
  portals: readonly JudgedReader[],
  { workspaceId, until, hourOfWeek }: Taking,
): Promise<void> {
  const ids = portals.map(({ _id }) => _id);
  const stored = await readerBaselines.getMany(workspaceId, ids);
  const lacking = portals.flatMap(({ _id: id, createdAt }) => {
    const before = stored.get(id);
    const baseline = before ?? newBaseline({ id, workspaceId, createdAt });
    const from = firstMissing(baseline, until);
    return from < until ? [{ before, baseline, from }] : [];
  });
  if (lacking.length === 0) return;
  const from = new Date(Math.min(...lacking.map((one) => one.from.getTime())));
  const missing = lacking.map(({ baseline }) => baseline.id);
  const hours = await readerHours.listOf(workspaceId, missing, { from, to: until });
  await readerBaselines.save(
    workspaceId,
    lacking.map(({ before, baseline }) => ({
      before,
      after: withHours(baseline, { hours: hours.get(baseline.id) ?? [], until }, hourOfWeek),
    })),
  );
}
