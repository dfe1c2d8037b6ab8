/** A reader whose clock shows an earlier time has none that is set: it began at 1970 or 2000. */
const EARLIEST_MS = Date.UTC(2020, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** RFC 3339, in which vendors also write 6 or 9 digits of the second and an offset without a colon. */
const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)$/i;

/** Digits of a time since the epoch in s, ms, us and ns. They are right from 2001 to 2286. */
const SCALES: Readonly<Record<number, number>> = { 10: 1e3, 13: 1, 16: 1e-3, 19: 1e-6 };

/**
 * Milliseconds of the epoch, from an RFC 3339 time with an offset, or a number of seconds, milli-, micro- or nanoseconds
 * since the epoch. Returns undefined for anything else and for a clock that is not set: the read is then dated by receipt.
 */
export function parseReaderTime(value: unknown): number | undefined {
  const ms = typeof value === "string" ? parseText(value.trim()) : parseNumber(value);
  return ms !== undefined && ms >= EARLIEST_MS && ms < LATEST_MS ? ms : undefined;
}

function parseText(text: string): number | undefined {
  const iso = ISO.exec(text);
  if (iso === null) return parseDigits(text);
  const [, seconds, fraction = "", zone = "Z"] = iso;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const ms = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, "0")}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Text of 16 or 19 digits is cut to milliseconds first, because a number has only 53 bits. */
function parseDigits(text: string): number | undefined {
  if (/^(\d{16}|\d{19})$/.test(text)) return Number(text.slice(0, 13));
  return /^\d{10,13}([.]\d+)?$/.test(text) ? parseNumber(Number(text)) : undefined;
}

function parseNumber(value: unknown): number | undefined {
  if (typeof value !== "number" || !(value > 0)) return undefined;
  const scale = SCALES[String(Math.trunc(value)).length];
  return scale === undefined ? undefined : Math.floor(value * scale);
}
