import { endOfDay, localDate } from "@asset-register/runtime";

/** The date of an instant in the workspace's time zone. */
export const today = (now: Date, timeZone: string): string => localDate(now, timeZone);

/** The last moment of a date that has passed: now, if the date is today or later. */
export function momentOf(date: string, now: Date, timeZone: string): Date {
  const end = endOfDay(date, timeZone);
  return end < now ? end : now;
}
