const HOUR_MS = 3_600_000;
/** The last instant that RFC 3339 and protobuf's Timestamp can represent. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is a date of the calendar, YYYY-MM-DD, from year 1900 on. */
export function isCalendarDate(text: string): boolean {
  const [, year = "", month = "", day = ""] = DATE.exec(text) ?? [];
  if (Number(year) < 1900) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.toISOString().slice(0, 10) === text;
}

/** Reads an instant's local date as 0YYYY-MM-DD, which orders like the dates do, into year 10000 too. */
function localDates(timeZone: string): (instant: number) => string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (instant) => {
    const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return `${part.year?.padStart(5, "0")}-${part.month}-${part.day}`;
  };
}

/**
 * Reads the calendar dates of instants in a time zone, YYYY-MM-DD, with one formatter. To make a formatter costs 15
 * times as much as to use it.
 */
export function localDateIn(timeZone: string): (instant: Date) => string {
  const localDate = localDates(timeZone);
  return (instant) => localDate(instant.getTime()).slice(1);
}

/** The calendar date of an instant in a time zone, YYYY-MM-DD. */
export function localDate(instant: Date, timeZone: string): string {
  return localDateIn(timeZone)(instant);
}

/**
 * The last millisecond of a calendar date in a time zone. A date that the zone
 * skipped (Samoa, 2011-12-30) ends when the date before it does; 9999-12-31, which
 * means no end, ends no later than the year does in UTC.
 *
 * No zone was ever further than 16 hours from UTC, so the midnight after it lies
 * in a window of 32 hours, which is halved until one millisecond is left.
 */
export function endOfDay(date: string, timeZone: string): Date {
  const localDate = localDates(timeZone);
  const nextMidnightUtc = Date.parse(`${date}T00:00:00Z`) + 24 * HOUR_MS;
  let within = nextMidnightUtc - 16 * HOUR_MS;
  let after = Math.min(nextMidnightUtc + 16 * HOUR_MS, LAST_INSTANT + 1);
  while (after - within > 1) {
    const middle = Math.floor((within + after) / 2);
    if (localDate(middle) <= `0${date}`) within = middle;
    else after = middle;
  }
  return new Date(within);
}
