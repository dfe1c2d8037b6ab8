import { limits } from "@asset-register/proto/limits";
import { parseEpc } from "./epc.ts";
import { parseTimestamp, type ReaderInstant } from "./timestamp.ts";

/** One read as a reader reported it, in canonical form. */
export type Read = {
  /** Upper-case hex. */
  epc: string;
  ts: ReaderInstant;
  antenna?: number;
  /** dBm. */
  rssi?: number;
  /** Reads that the reader itself put together. */
  count: number;
};

/** What is wrong with a field, in the sender's own words. */
export type Violation = { field: string; message: string };

/** One item of a body: a read, or why it is none. */
export type BatchItem = { read: Read } | { violations: Violation[] };

/** A body: its items, or why none of it can be taken. */
export type BatchBody = { items: BatchItem[] } | { malformed: string } | { violations: Violation[] };

/**
 * Told of one item, and of a body: every known field, and some unknown ones.
 * More would make an answer many times as large as its request.
 */
const MAX_VIOLATIONS = 8;

const FIELDS = new Set(["epc", "ts", "antenna", "rssi", "count"]);

/**
 * Reads the body of a signed request, `{ "events": [{ epc, ts, antenna?, rssi?,
 * count? }] }`. Written by hand because it runs for every event of the hot
 * path; an item that is wrong is told by itself and spoils no other.
 */
export function parseBatchBody(body: Uint8Array): BatchBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8"));
  } catch {
    return { malformed: "The body is not JSON." };
  }
  if (!isRecord(parsed)) return { violations: [{ field: "", message: "must be an object" }] };
  const unknown = Object.keys(parsed).filter((name) => name !== "events");
  if (unknown.length > 0) {
    const told = unknown.slice(0, MAX_VIOLATIONS);
    return { violations: told.map((field) => ({ field, message: "is unknown" })) };
  }
  const { events } = parsed;
  if (!Array.isArray(events)) return { violations: [{ field: "events", message: "must be a list" }] };
  if (events.length > limits.events) {
    return { violations: [{ field: "events", message: `must hold at most ${limits.events} events` }] };
  }
  return { items: events.map(parseItem) };
}

function parseItem(item: unknown, index: number): BatchItem {
  const at = `events.${index}`;
  if (!isRecord(item)) return { violations: [{ field: at, message: "must be an object" }] };
  const violations: Violation[] = [];
  const wrong = (name: string, message: string) => void violations.push({ field: `${at}.${name}`, message });
  const epc = typeof item.epc === "string" ? parseEpc(item.epc) : undefined;
  if (epc === undefined) wrong("epc", "must be hex of 4 to 124 digits in multiples of 4, or an EPC URI");
  const text = timestampText(item.ts);
  const ts = text === undefined ? undefined : parseTimestamp(text);
  if (ts === undefined) wrong("ts", "must be RFC 3339 with an offset, or a whole number of the epoch");
  const { antenna, rssi, count = 1 } = item;
  if (antenna !== undefined && !isWhole(antenna, 0, 65_535)) wrong("antenna", "must be 0 to 65535");
  if (rssi !== undefined && !isNumber(rssi, -200, 100)) wrong("rssi", "must be dBm, -200 to 100");
  if (!isWhole(count, 1, 1_000_000)) wrong("count", "must be 1 to 1000000");

  for (const name in item) {
    if (violations.length >= MAX_VIOLATIONS) break;
    if (!FIELDS.has(name)) wrong(name, "is unknown");
  }
  if (violations.length > 0 || epc === undefined || ts === undefined) return { violations };
  const read: Read = { epc, ts, count: Number(count) };
  if (antenna !== undefined) read.antenna = Number(antenna);
  if (rssi !== undefined) read.rssi = Number(rssi);
  return { read };
}

/** `ts` as it is signed: the text itself, or a whole number below 2^53 as its decimal digits. */
export function timestampText(ts: unknown): string | undefined {
  if (typeof ts === "string") return ts;
  return Number.isSafeInteger(ts) ? String(ts) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown, min: number, max: number): value is number {
  return typeof value === "number" && value >= min && value <= max;
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return isNumber(value, min, max) && Number.isInteger(value);
}
