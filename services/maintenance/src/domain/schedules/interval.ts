const DAY_MS = 86_400_000;

export type IntervalUnit = "day" | "week" | "month" | "year";

/** A number of calendar units, at least 1. */
export type Interval = { value: number; unit: IntervalUnit };

/**
 * The date `count` intervals after a date. Months and years keep the day of the month of `date`, or end on the last day
 * of a shorter month. So multiples are counted from one anchor: the 31st stays the 31st after a February.
 * Undefined after 9999-12-31, the last date of the calendar.
 */
export function addIntervals(date: string, { value, unit }: Interval, count = 1): string | undefined {
  const steps = value * count;
  if (unit === "day") return addDays(date, steps);
  if (unit === "week") return addDays(date, steps * 7);
  return addMonths(date, unit === "year" ? steps * 12 : steps);
}

/**
 * The first of `anchor`, `anchor` + 1 interval, `anchor` + 2 intervals and so on that is after `after`.
 * Undefined if there is none until 9999-12-31.
 */
export function firstOccurrenceAfter(anchor: string, interval: Interval, after: string): string | undefined {
  if (anchor > after) return anchor;
  // A lower bound: no unit is longer than this, so an occurrence before it can't be after `after`.
  const longest = { day: 1, week: 7, month: 31, year: 366 }[interval.unit] * interval.value;
  const days = (Date.parse(after) - Date.parse(anchor)) / DAY_MS;
  for (let count = Math.floor(days / longest); ; count++) {
    const date = addIntervals(anchor, interval, count);
    if (date === undefined || date > after) return date;
  }
}

/** The date a number of days after a date, or before it. Undefined after 9999-12-31. */
export function addDays(date: string, days: number): string | undefined {
  return checked(new Date(Date.parse(date) + days * DAY_MS));
}

function addMonths(date: string, months: number): string | undefined {
  const start = new Date(date);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return checked(new Date(Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay))));
}

/** A Date beyond its own range is invalid, and has no year. */
function checked(date: Date): string | undefined {
  return date.getUTCFullYear() <= 9999 ? date.toISOString().slice(0, 10) : undefined;
}
