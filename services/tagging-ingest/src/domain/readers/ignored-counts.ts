import { HEALTH_MINUTES, minuteOf } from "./reader-health.ts";

/** Why an accepted read of a reader moved nothing. */
export const ignoredReasons = ["late", "below_min_rssi", "filtered", "unknown_limit", "reference"] as const;
export type IgnoredReason = (typeof ignoredReasons)[number];

/** Counted of the reads of a reader: those that moved nothing, and moves of flapping tags. */
export const readCounters = [...ignoredReasons, "flapping"] as const;
export type ReadCounter = (typeof readCounters)[number];

/** The counts of a reader in one minute. `minute` counts from the epoch. */
export type ReadCounts = { minute: number } & Partial<Record<ReadCounter, number>>;

/** The figures of a reader in the last 15 minutes. Reasons without a read are left out. */
export function ignoredOf(
  minutes: readonly ReadCounts[],
  now: Date,
): { ignoredByReason: Partial<Record<IgnoredReason, number>>; flapping: number } {
  const present = minuteOf(now);
  const recent = minutes.filter(({ minute }) => minute > present - HEALTH_MINUTES && minute <= present);
  const sum = (counter: ReadCounter) => recent.reduce((total, counts) => total + (counts[counter] ?? 0), 0);
  const reasons = ignoredReasons.map((reason) => [reason, sum(reason)] as const);
  return {
    ignoredByReason: Object.fromEntries(reasons.filter(([, reads]) => reads > 0)),
    flapping: sum("flapping"),
  };
}
