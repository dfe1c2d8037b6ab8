import { invalid } from "@asset-register/runtime";

/** The length of the steps in which the activity of a reader is shown. */
export type ActivityStep = "minute" | "hour";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long the counts of minutes are kept, and those of hours in days (console-api.md). */
export const MINUTES_KEPT_MS = 2 * DAY_MS;
export const HOURS_KEPT_DAYS = 90;

/** The longest time of one request: 1,440 minutes or 744 hours. */
const LONGEST = {
  minute: { stepMs: MINUTE_MS, longestMs: DAY_MS, text: "24 hours" },
  hour: { stepMs: HOUR_MS, longestMs: 31 * DAY_MS, text: "31 days" },
} as const;

/** The steps from the one that begins at `from`, before `to`. */
export type ActivityRange = { step: ActivityStep; from: Date; to: Date };

/**
 * The steps of a request. Without `to` until now, without `from` the longest time before.
 *
 * @throws AppError VALIDATION_FAILED on `from` unless it is before `to`, and not longer before it than one request may ask
 */
export function activityRange(
  {
    step = "minute",
    from,
    to,
  }: { step?: ActivityStep | undefined; from?: Date | undefined; to?: Date | undefined },
  now: Date,
): ActivityRange {
  const { stepMs, longestMs, text } = LONGEST[step];
  const end = to ?? now;
  const begin = from?.getTime() ?? end.getTime() - longestMs;
  const refuse = (message: string) => invalid([{ field: "from", message }]);
  if (begin >= end.getTime()) throw refuse("must be before to");
  if (end.getTime() - begin > longestMs) throw refuse(`must be at most ${text} before to`);
  return { step, from: new Date(Math.floor(begin / stepMs) * stepMs), to: end };
}
