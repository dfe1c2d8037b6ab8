import type { GroupLag } from "@asset-register/events";
import type { Sweep } from "@asset-register/mongo";
import type { Context } from "./context.ts";
import { createDayMover } from "./operations/archive/move-days.ts";
import { removeArchives } from "./operations/archive/remove-archives.ts";
import { judgeReaders } from "./operations/readers/judge-readers.ts";
import { takeBaselines } from "./operations/readers/take-baselines.ts";

const MINUTE_MS = 60_000;
const TEN_MINUTES_MS = 10 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The work that is repeated in one process of all. */
export const sweepsOf = (context: Context, lag: Pick<GroupLag, "isBehind">): Sweep[] => [
  { name: "takeBaselines", everyMs: HOUR_MS, run: (signal) => takeBaselines(context, signal) },
  { name: "judgeReaders", everyMs: MINUTE_MS, run: (signal) => judgeReaders(context, lag, signal) },
];

/** Days after which events and sightings are moved to files, and after which these are removed. Undefined: never. */
type ArchiveSettings = { afterDays: number | undefined; keepDays: number | undefined };

/** The work of the archive. Files of earlier settings are removed too when no further ones are written. */
export function archiveSweepsOf(context: Context, { afterDays, keepDays }: ArchiveSettings): Sweep[] {
  const sweeps: Sweep[] = [];
  if (afterDays !== undefined) {
    const run = createDayMover(context, { afterDays });
    sweeps.push({ name: "moveDays", everyMs: TEN_MINUTES_MS, run });
  }
  if (keepDays !== undefined) {
    const run = (signal: AbortSignal) => removeArchives(context, keepDays, signal);
    sweeps.push({ name: "removeArchives", everyMs: HOUR_MS, run });
  }
  return sweeps;
}
