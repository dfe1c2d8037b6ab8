import type { Sweep } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { type Day, firstKeptDate, lastEndedDay } from "../../domain/reports/day.ts";
import { activeWorkspaces } from "../../store/reports/active-workspaces.ts";

/** No transaction lasts longer than 30 s: after this time a day has all its movements. */
const LATE_MS = 60_000;
const EVERY_MS = 60_000;

/** Looks each minute which workspaces have a day that has ended. */
export function valueSweep(context: Context, everyMs = EVERY_MS): Sweep {
  const swept = new Map<string, string>();
  return { name: "values", everyMs, run: (signal) => sweepValues(context, swept, signal) };
}

/**
 * Starts the count of the day that has ended last, in each workspace where that has not been done. `swept` has the
 * dates that need no further look, by workspace.
 */
async function sweepValues(context: Context, swept: Map<string, string>, signal: AbortSignal): Promise<void> {
  const { mongo, logger, now } = context;
  const instant = new Date(now().getTime() - LATE_MS);
  const days = new Map<string, Day>();
  for await (const { id, timeZone } of activeWorkspaces(mongo)) {
    signal.throwIfAborted();
    try {
      const day = days.get(timeZone) ?? lastEndedDay(instant, timeZone);
      days.set(timeZone, day);
      if (swept.get(id) === day.date) continue;
      await startFinalCount(context, id, day);
      swept.set(id, day.date);
    } catch (error) {
      logger.warn({ err: error, workspaceId: id }, "a day was not counted; the next sweep retries");
    }
  }
}

/** Starts the last count of a day. A workspace has no rows before its first asset. */
export async function startFinalCount(
  { stores, now }: Pick<Context, "stores" | "now">,
  workspaceId: string,
  day: Day,
): Promise<void> {
  const { valueDays, valueCounts, dailyValues } = stores;
  const known = await valueDays.get(workspaceId, day.date);
  if (known?.isFinal) return;
  if (known) await valueDays.restart(known, day, true, now());
  else {
    const hasRows = await valueDays.hasAny(workspaceId);
    if (!hasRows && !(await valueCounts.hasAssets(workspaceId, day))) return;
    await valueDays.start(workspaceId, day, true, now());
  }
  const first = firstKeptDate(day.date);
  await dailyValues.removeBefore(workspaceId, first);
  await valueDays.removeBefore(workspaceId, first);
}
