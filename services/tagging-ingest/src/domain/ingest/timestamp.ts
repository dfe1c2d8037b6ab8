/** An instant of a reader's clock: whole milliseconds of the epoch, and the nanoseconds after them. */
export type ReaderInstant = { ms: number; nanos: number };

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(?:([Zz])|[+-]\d\d:\d\d)$/;
/** In a number of two digits, the code of "0" counts eleven times. */
const ELEVEN_ZEROS = 11 * "0".charCodeAt(0);
const DIGITS = /^\d{1,20}$/;

/**
 * Parses `ts` as readers send it: RFC 3339 with an offset, or the epoch in seconds (up to 11 digits), milliseconds
 * (up to 14), microseconds (up to 17) or nanoseconds (up to 20). Undefined for anything else, such as a time without
 * a zone.
 */
export function parseTimestamp(text: string): ReaderInstant | undefined {
  return DIGITS.test(text) ? fromDigits(text) : fromRfc3339(text);
}

function fromDigits(text: string): ReaderInstant | undefined {
  if (text.length <= 11) return within(Number(text) * 1000, 0);
  if (text.length <= 14) return within(Number(text), 0);
  const toMillis = text.length <= 17 ? 3 : 6;
  const ms = Number(text.slice(0, -toMillis));
  const beyond = Number(text.slice(-toMillis).padEnd(6, "0"));
  return within(ms, beyond);
}

function fromRfc3339(text: string): ReaderInstant | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  // The form is known: two digits at fixed places. Numbers from the texts of the match cost three times as much.
  const [year, month, day] = [
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5),
    twoDigits(text, 8),
  ];
  const [hour, minute, second] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  // Date.UTC treats the years 0 to 99 as 1900 to 1999.
  if (year < 100 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [, fraction = "", zulu] = match;
  let offset = 0;
  if (zulu === undefined) {
    const sign = text.length - 6;
    const [hours, minutes] = [twoDigits(text, sign + 1), twoDigits(text, sign + 4)];
    if (hours > 23 || minutes > 59) return undefined;
    offset = (hours * 60 + minutes) * (text.charAt(sign) === "-" ? -60_000 : 60_000);
  }
  const nanos = fraction === "" ? 0 : Number(fraction) * 10 ** (9 - fraction.length);
  const millis = Math.floor(nanos / 1_000_000);
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, millis);
  return within(wall - offset, nanos - millis * 1_000_000);
}

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - ELEVEN_ZEROS;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A Timestamp message can hold instants up to the year 9999. */
function within(ms: number, nanos: number): ReaderInstant | undefined {
  return ms >= 0 && ms < 253_402_300_800_000 ? { ms, nanos } : undefined;
}
