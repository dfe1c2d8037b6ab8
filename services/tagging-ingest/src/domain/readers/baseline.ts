import { HOUR_MS, MINUTE_MS } from "./activity-range.ts";

const HOURS_A_WEEK = 168;
const DAY_MS = 24 * HOUR_MS;
/** So many observations of an hour of the week are averaged. Each later one has the weight of one of so many. */
const WEEKS = 4;
const WEEKS_MS = WEEKS * 7 * DAY_MS;
/** A younger reader has no baseline: it has seen no hour of the week twice. */
const LEAST_AGE_MS = 14 * DAY_MS;

/** What a reader usually reads. The id is the reader's. Both lists are by hour of the week. */
export type Baseline = {
  id: string;
  workspaceId: string;
  /** Reads a minute. */
  means: number[];
  /** Of how many weeks each mean is, up to 4. */
  weeks: number[];
  /** The hours before this one were taken. */
  takenUntil: Date;
};

/** The reads of an hour. `at`: when it begins. */
export type HourOfReads = { at: Date; accepted: number };

/** The hour of the week of an instant, 0 to 167 from Monday, by the wall clock of a time zone. */
export type HourOfWeek = (at: number) => number;

const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** An hour of UTC belongs to the hour of the week in which it begins. Asked hours are kept: a format is slow. */
export function hourOfWeekIn(timeZone: string): HourOfWeek {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, weekday: "short", hour: "2-digit", hourCycle: "h23" },
  });
  const known = new Map<number, number>();
  return (at) => {
    const hour = Math.floor(at / HOUR_MS);
    const found = known.get(hour);
    if (found !== undefined) return found;
    const parts = new Map(format.formatToParts(hour * HOUR_MS).map(({ type, value }) => [type, value]));
    const ofWeek = 24 * days.indexOf(parts.get("weekday") ?? "") + Number(parts.get("hour"));
    known.set(hour, ofWeek);
    return ofWeek;
  };
}

/** The baseline of a reader without one. It begins with the first whole hour of the reader. */
export function newBaseline(reader: { id: string; workspaceId: string; createdAt: Date }): Baseline {
  const { id, workspaceId, createdAt } = reader;
  const zeros = () => Array.from({ length: HOURS_A_WEEK }, () => 0);
  const takenUntil = new Date(Math.ceil(createdAt.getTime() / HOUR_MS) * HOUR_MS);
  return { id, workspaceId, means: zeros(), weeks: zeros(), takenUntil };
}

/** The first hour that a baseline lacks: at most 4 weeks before `until`. */
export const firstMissing = ({ takenUntil }: Baseline, until: Date): Date =>
  new Date(Math.max(takenUntil.getTime(), until.getTime() - WEEKS_MS));

/** The baseline with the hours before `until`. Hours that it has are not taken again. An hour without a row has no reads. */
export function withHours(
  baseline: Baseline,
  { hours, until }: { hours: readonly HourOfReads[]; until: Date },
  hourOfWeek: HourOfWeek,
): Baseline {
  const from = firstMissing(baseline, until).getTime();
  if (from >= until.getTime()) return baseline;
  const reads = new Map(hours.map(({ at, accepted }) => [at.getTime(), accepted]));
  const [means, weeks] = [[...baseline.means], [...baseline.weeks]];
  for (let at = from; at < until.getTime(); at += HOUR_MS) {
    const slot = hourOfWeek(at);
    const aMinute = ((reads.get(at) ?? 0) * MINUTE_MS) / HOUR_MS;
    const before = means[slot] ?? 0;
    const count = Math.min((weeks[slot] ?? 0) + 1, WEEKS);
    means[slot] = before + (aMinute - before) / count;
    weeks[slot] = count;
  }
  return { ...baseline, means, weeks, takenUntil: until };
}

/** How many reads a reader usually has from one instant to another, minute by minute. */
export function expectedReads(
  { means }: Pick<Baseline, "means">,
  { from, to }: { from: number; to: number },
  hourOfWeek: HourOfWeek,
): number {
  let reads = 0;
  for (let at = from; at < to; at += MINUTE_MS) reads += means[hourOfWeek(at)] ?? 0;
  return reads;
}

/** Whether a reader is old enough for a baseline. */
export const hasBaseline = ({ createdAt }: { createdAt: Date }, now: Date): boolean =>
  now.getTime() - createdAt.getTime() >= LEAST_AGE_MS;
