import { isUtf8 } from "node:buffer";
import { parseEpc } from "@asset-register/epc";
import { limits } from "@asset-register/proto/limits";
import { type FieldViolation, hasLoneSurrogate, repeatsName } from "@asset-register/runtime";
import { parseTimestamp, type ReaderInstant } from "./timestamp.ts";

/** One read as a reader reported it, in canonical form. */
export type Read = {
  /** Upper-case hex. */
  epc: string;
  ts: ReaderInstant;
  antenna?: number | undefined;
  /** dBm. */
  rssi?: number | undefined;
  /** The number of reads that the reader itself combined. */
  count: number;
};

/** One item of a body: a read, or why it is not valid. */
export type BatchItem = { read: Read } | { violations: FieldViolation[] };

/** A body: its items, or why it is not valid as a whole. */
export type BatchBody = { items: BatchItem[] } | { malformed: string } | { violations: FieldViolation[] };

/**
 * For one item, and for one body: each known field, and some unknown ones. With more, an answer could be many times
 * as large as its request.
 */
const MAX_VIOLATIONS = 8;

const FIELDS = new Set(["epc", "ts", "antenna", "rssi", "count"]);

/**
 * Parses the body of a signed request, `{ "events": [{ epc, ts, antenna?, rssi?, count? }] }`. This is the hot path:
 * it runs for each event, so it has no zod. An item that is not valid does not affect the others.
 */
export function parseBatchBody(body: Uint8Array): BatchBody {
  if (!isUtf8(body)) return { malformed: "The body is not UTF-8." };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = bytes.toString("utf8");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { malformed: "The body is not JSON." };
  }
  if (repeatsName(bytes, parsed)) return { malformed: "An object in the body has a name twice." };
  if (hasLoneSurrogate(text, parsed)) return { malformed: "A text in the body has a lone surrogate." };
  if (!isRecord(parsed)) return { violations: [{ field: "", message: "must be an object" }] };
  const unknown = Object.keys(parsed).filter((name) => name !== "events");
  if (unknown.length > 0) {
    const reported = unknown.slice(0, MAX_VIOLATIONS);
    return { violations: reported.map((field) => ({ field, message: "is unknown" })) };
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
  const violations: FieldViolation[] = [];
  const wrong = (name: string, message: string) => void violations.push({ field: `${at}.${name}`, message });
  const epc = typeof item.epc === "string" ? parseEpc(item.epc) : undefined;
  if (epc === undefined) wrong("epc", "must be hex of 4 to 124 digits in multiples of 4, or an EPC URI");
  const text = timestampText(item.ts);
  const ts = text === undefined ? undefined : parseTimestamp(text);
  if (ts === undefined) wrong("ts", "must be RFC 3339 with an offset, or a whole number of the epoch");
  // Null means the same as leaving the field out (http.md).
  const antenna = item.antenna ?? undefined;
  const rssi = item.rssi ?? undefined;
  const count = item.count ?? 1;
  if (antenna !== undefined && !isWhole(antenna, 0, 65_535)) wrong("antenna", "must be 0 to 65535");
  if (rssi !== undefined && !isNumber(rssi, -200, 100)) wrong("rssi", "must be dBm, -200 to 100");
  if (!isWhole(count, 1, 1_000_000)) wrong("count", "must be 1 to 1000000");

  for (const name in item) {
    if (violations.length >= MAX_VIOLATIONS) break;
    if (!FIELDS.has(name)) wrong(name, "is unknown");
  }
  if (violations.length > 0 || epc === undefined || ts === undefined) return { violations };
  return { read: { epc, ts, count: Number(count), antenna: asNumber(antenna), rssi: asNumber(rssi) } };
}

/** A value that was checked to be a number, or is absent. */
const asNumber = (value: unknown): number | undefined => (value === undefined ? undefined : Number(value));

/** `ts` as it is signed: the text itself, or the decimal digits of a whole number below 2^53. */
function timestampText(ts: unknown): string | undefined {
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
