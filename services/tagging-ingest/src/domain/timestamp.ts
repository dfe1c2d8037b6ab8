/** An instant of a reader's clock: whole milliseconds of the epoch and the nanoseconds beyond them. */
export type ReaderInstant = { ms: number; nanos: number };

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d\d):(\d\d))$/;
const DIGITS = /^\d{1,20}$/;

/**
 * Reads `ts` as readers send it: RFC 3339 with an offset, or the epoch in
 * seconds (up to 11 digits), milliseconds (to 14), microseconds (to 17) or
 * nanoseconds (to 20). Undefined for anything else, a time without a zone
 * among it.
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
  const part = (index: number) => Number(match[index]);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const fraction = (match[7] ?? "").padEnd(9, "0");
  let offset = 0;
  if (match[8] === undefined) {
    if (part(10) > 23 || part(11) > 59) return undefined;
    offset = (part(10) * 60 + part(11)) * (match[9] === "-" ? -60_000 : 60_000);
  }
  const wall = Date.UTC(year, month - 1, day, hour, minute, second, Number(fraction.slice(0, 3)));
  return within(wall - offset, Number(fraction.slice(3)));
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

// What a Timestamp message can hold ends with the year 9999.
function within(ms: number, nanos: number): ReaderInstant | undefined {
  return ms >= 0 && ms < 253_402_300_800_000 ? { ms, nanos } : undefined;
}
