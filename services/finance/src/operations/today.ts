import { localDate } from "@asset-register/runtime";

/** The date of an instant in the workspace's time zone. */
export const today = (now: Date, timeZone: string): string => localDate(now, timeZone);
