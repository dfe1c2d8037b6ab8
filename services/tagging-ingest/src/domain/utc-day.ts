const DAY_MS = 86_400_000;

/** The number of a UTC day since the epoch. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** The date of a UTC day, as YYYY-MM-DD. */
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The number of a UTC day. Undefined if the text is no date as YYYY-MM-DD. */
export function dayOfDate(date: string): number | undefined {
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  return Number.isInteger(day) && dateOfDay(day) === date ? day : undefined;
}
