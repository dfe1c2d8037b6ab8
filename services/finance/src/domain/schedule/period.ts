/** A month of the calendar, YYYY-MM. Periods order as texts do, so they are stored and compared as they are. */
export type Period = string;

/** A calendar date, YYYY-MM-DD, of the workspace's time zone. Dates order as texts do. */
export type CalendarDate = string;

const DAY_MS = 86_400_000;

/** The number of months from year 0: for arithmetic. */
export function monthIndex(period: Period): number {
  return Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1;
}

/** The period of a number of months from year 0. */
export function periodAt(index: number): Period {
  return periodOfYearMonth({ year: Math.floor(index / 12), month: (index % 12) + 1 });
}

/** The period of a year and a month from 1 to 12. */
export function periodOfYearMonth({ year, month }: { year: number; month: number }): Period {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
}

export function yearMonth(period: Period): { year: number; month: number } {
  return { year: Number(period.slice(0, 4)), month: Number(period.slice(5, 7)) };
}

/** The month that contains a date. */
export const periodOf = (date: CalendarDate): Period => date.slice(0, 7);

export const addMonths = (period: Period, months: number): Period => periodAt(monthIndex(period) + months);
export const nextPeriod = (period: Period): Period => addMonths(period, 1);
export const previousPeriod = (period: Period): Period => addMonths(period, -1);

/** The later of two periods, or of two dates. */
export const later = (a: string, b: string | undefined): string => (b !== undefined && b > a ? b : a);
/** The earlier of two periods, or of two dates. */
export const earlier = (a: string, b: string | undefined): string => (b !== undefined && b < a ? b : a);

export const firstDay = (period: Period): CalendarDate => `${period}-01`;
export const isFirstDay = (date: CalendarDate): boolean => date.endsWith("-01");

/** Days since 1970-01-01. */
export const dayNumber = (date: CalendarDate): number => Date.parse(date) / DAY_MS;

/** The date a number of days after a date. */
export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (from: CalendarDate, to: CalendarDate): number => dayNumber(to) - dayNumber(from);

/** The date a number of months after a date: the same day, or the last one of a shorter month. */
export function addMonthsToDate(date: CalendarDate, months: number): CalendarDate {
  const period = addMonths(periodOf(date), months);
  const day = Math.min(Number(date.slice(8)), daysIn(period));
  return `${period}-${String(day).padStart(2, "0")}`;
}

export function daysIn(period: Period): number {
  return daysBetween(firstDay(period), firstDay(nextPeriod(period)));
}

/** The first month of the fiscal year that contains a month. `start` is the month in which fiscal years begin. */
export function fiscalYearOf(period: Period, start: number): Period {
  return addMonths(period, -(fiscalMonth(period, start) - 1));
}

/** The number of a month in its fiscal year, 1 to 12. */
export function fiscalMonth(period: Period, start: number): number {
  return ((yearMonth(period).month - start + 12) % 12) + 1;
}

/** The quarter of the fiscal year, 1 to 4. */
export function fiscalQuarter(period: Period, start: number): number {
  return Math.ceil(fiscalMonth(period, start) / 3);
}
