import { endOfDay, localDate } from "@asset-register/runtime";

/** A calendar date of a time zone, with its first and last millisecond. */
export type Day = { date: string; from: Date; until: Date };

const DAY_MS = 86_400_000;

/** How long values are kept. */
const KEPT_YEARS = 10;

/** The day of an instant. */
export function dayOf(instant: Date, timeZone: string): Day {
  const date = localDate(instant, timeZone);
  const before = new Date(Date.parse(`${date}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
  // The zone may have skipped the date before: then it has the end of the one before that.
  const from = new Date(endOfDay(before, timeZone).getTime() + 1);
  return { date, from, until: endOfDay(date, timeZone) };
}

/** The last day that has ended at an instant. */
export function lastEndedDay(instant: Date, timeZone: string): Day {
  return dayOf(new Date(dayOf(instant, timeZone).from.getTime() - 1), timeZone);
}

/** The first date that is kept when this one is stored. */
export function firstKeptDate(date: string): string {
  return `${Number(date.slice(0, 4)) - KEPT_YEARS}${date.slice(4)}`;
}
