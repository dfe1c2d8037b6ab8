const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses an RFC 3339 text strictly: full date and time, a zone, a valid day of the month. Digits after the
 * milliseconds are cut off. Returns undefined if the text is malformed, and for:
 *
 * - leap seconds (":60"), which a Date cannot represent
 * - years outside 0001 to 9999 in UTC, which formatInstant cannot represent
 */
export function parseInstant(text: string): Date | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59) return undefined;
  const ms = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const instant = new Date(0);
  instant.setUTCFullYear(year, month - 1, day);
  instant.setUTCHours(hour, minute, second, ms);
  const offset = (part(9) * 60 + part(10)) * 60_000 * (match[8] === "-" ? -1 : 1);
  const utc = new Date(instant.getTime() - offset);
  return utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999 ? undefined : utc;
}

/** Formats an instant as RFC 3339 in UTC with milliseconds: "2026-03-01T09:30:00.000Z". */
export function formatInstant(instant: Date): string {
  return instant.toISOString();
}

function daysIn(year: number, month: number): number {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return last.getUTCDate();
}
