import { instantOf } from "../../parts/zoned-time.ts";

/** The first and the last day of a time, as far as they were chosen. */
export type Days = { from?: string | undefined; to?: string | undefined };

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 90;

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * The time from the begin of the first day until the end of the last one, by the wall clock of a time zone. The API
 * takes 90 days before the end, or now, if there is no first day. "wrong": the API would refuse it.
 */
export function spanOf({ from, to }: Days, timeZone: string): Days | "wrong" {
  const begin = (day: string): string => instantOf(`${day}T00:00`, timeZone);
  const end = to && begin(dayAfter(to, 1));
  if (from === undefined || from === "") return { to: end || undefined };
  const [first, last] = [Date.parse(begin(from)), end ? Date.parse(end) : Date.now()];
  if (first >= last || last - first > LONGEST_DAYS * DAY_MS) return "wrong";
  return { from: begin(from), to: end || undefined };
}
