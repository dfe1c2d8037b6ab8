import { createHash } from "node:crypto";
import { limits } from "@asset-register/proto/limits";
import { parseInstant } from "@asset-register/runtime";
import type { Scan, ScanMethod } from "./scan.ts";
import { normaliseCode, normaliseEpc } from "./tag-text.ts";

/** A scan as a device sent it. */
export type ScanItem = {
  code?: string | undefined;
  epc?: string | undefined;
  locationId?: string | undefined;
  method?: string | undefined;
  deviceId?: string | undefined;
  scannedAt?: string | undefined;
  /** Fields that are unknown, or no texts. */
  invalidFields: readonly string[];
};

export type ScanCode =
  | "TAG_AMBIGUOUS"
  | "LOCATION_UNKNOWN"
  | "SCANNED_AT_INVALID"
  | "SCANNED_AT_IN_FUTURE"
  | "SCANNED_AT_TOO_OLD"
  | "SCAN_INVALID";

export type ScanRefusal = { code: ScanCode; field: string; message: string };

/** The content of an item that has passed the checks. */
export type CheckedScan = Pick<
  Scan,
  "code" | "epc" | "normalised" | "locationId" | "method" | "deviceId" | "scannedAt" | "key"
>;

/** The data that items are checked against. `locations` are those that exist. */
export type ScanRules = { now: Date; openedAt: Date; locations: ReadonlySet<string> };

const MINUTE_MS = 60_000;
/** Clocks of devices may be this much ahead. */
const AHEAD_MS = 5 * MINUTE_MS;
/** Scans from before the opening: a count on paper, or a device whose clock is behind. */
const BEFORE_MS = 30 * 24 * 60 * MINUTE_MS;
const methods: ReadonlySet<string | undefined> = new Set<ScanMethod>(["qr", "barcode", "rfid"]);

/** Checks one item. The rules are in the order of the codes. */
export function checkScan(item: ScanItem, rules: ScanRules): CheckedScan | { refusal: ScanRefusal } {
  const { locationId = "", method, invalidFields } = item;
  const tag = tagOf(item);
  if ("refusal" in tag && tag.refusal.code === "TAG_AMBIGUOUS") return tag;
  if (!rules.locations.has(locationId))
    return refused("LOCATION_UNKNOWN", "location_id", "There is no such location.");
  const time = timeOf(item, rules);
  if ("refusal" in time) return time;
  const [invalidField] = invalidFields;
  if (invalidField !== undefined)
    return refused("SCAN_INVALID", invalidField, "The field is unknown, or not a text.");
  if ("refusal" in tag) return tag;
  if (!isMethod(method)) return refused("SCAN_INVALID", "method", "The method is not qr, barcode or rfid.");
  const deviceId = item.deviceId?.trim() ?? "";
  if (deviceId === "" || deviceId.length > limits.deviceText)
    return refused("SCAN_INVALID", "device_id", `The device has 1 to ${limits.deviceText} characters.`);
  const { scannedAt } = time;
  const key = scanKey(deviceId, scannedAt, tag.normalised);
  return { ...tag, ...{ locationId, method, deviceId, scannedAt, key } };
}

function tagOf({ code = "", epc = "" }: ScanItem): TagPart | { refusal: ScanRefusal } {
  if ((code.trim() === "") === (epc.trim() === ""))
    return refused("TAG_AMBIGUOUS", "code", "Send either code or epc, not both.");
  const byCode = code.trim() !== "";
  const normalised = byCode ? normaliseCode(code) : normaliseEpc(epc);
  if (normalised !== undefined) return byCode ? { code, normalised } : { epc, normalised };
  return byCode
    ? refused("SCAN_INVALID", "code", `The code is not a text of at most ${limits.tagCode} characters.`)
    : refused("SCAN_INVALID", "epc", "The epc is neither hex digits in multiples of 4 nor an EPC URI.");
}

type TagPart = Pick<Scan, "code" | "epc" | "normalised">;

function timeOf(
  { scannedAt: text = "" }: ScanItem,
  { now, openedAt }: ScanRules,
): { scannedAt: Date } | { refusal: ScanRefusal } {
  const field = "scanned_at";
  const scannedAt = parseInstant(text);
  if (scannedAt === undefined)
    return refused("SCANNED_AT_INVALID", field, "The time is not RFC 3339 with an offset.");
  if (scannedAt.getTime() > now.getTime() + AHEAD_MS)
    return refused("SCANNED_AT_IN_FUTURE", field, "The time is more than 5 minutes ahead.");
  if (scannedAt.getTime() < openedAt.getTime() - BEFORE_MS)
    return refused("SCANNED_AT_TOO_OLD", field, "The time is more than 30 days before the opening.");
  return { scannedAt };
}

const isMethod = (method: string | undefined): method is ScanMethod => methods.has(method);

const refused = (code: ScanCode, field: string, message: string) => ({ refusal: { code, field, message } });

/** Equal for repeats of a scan. A hash, since texts are long. */
export const scanKey = (deviceId: string, scannedAt: Date, normalised: string): string =>
  createHash("sha256")
    .update(JSON.stringify([deviceId, scannedAt.getTime(), normalised]))
    .digest("base64url");
