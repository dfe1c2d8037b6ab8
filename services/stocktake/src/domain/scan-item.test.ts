import fc from "fast-check";
import { expect, test } from "vitest";
import { checkScan, type ScanItem } from "./scan-item.ts";

const now = new Date("2026-03-31T12:00:00Z");
const openedAt = new Date("2026-03-30T12:00:00Z");
const rules = { now, openedAt, locations: new Set(["loc_1"]) };
const good: ScanItem = {
  ...{ code: "AR-1", locationId: "loc_1", method: "qr", deviceId: "d1" },
  ...{ scannedAt: "2026-03-31T11:59:00+02:00", invalidFields: [] },
};
const check = (fields: Partial<ScanItem>) => checkScan({ ...good, ...fields }, rules);
const refusal = (fields: Partial<ScanItem>) => {
  const checked = check(fields);
  return "refusal" in checked ? [checked.refusal.code, checked.refusal.field] : [];
};

test("a good scan keeps what was sent, and has a normalised text", () => {
  expect(check({ code: " AR-1 " })).toMatchObject({
    ...{ code: " AR-1 ", normalised: "code:AR-1", locationId: "loc_1", method: "qr", deviceId: "d1" },
    scannedAt: new Date("2026-03-31T09:59:00Z"),
  });
  expect(check({ code: undefined, epc: "abcd" })).toMatchObject({ epc: "abcd", normalised: "epc:ABCD" });
});

test.each<[string, Partial<ScanItem>, string[]]>([
  ["neither code nor epc", { code: " " }, ["TAG_AMBIGUOUS", "code"]],
  ["both", { epc: "ABCD" }, ["TAG_AMBIGUOUS", "code"]],
  ["no location", { locationId: undefined }, ["LOCATION_UNKNOWN", "location_id"]],
  ["an unknown location", { locationId: "loc_2" }, ["LOCATION_UNKNOWN", "location_id"]],
  ["no time", { scannedAt: undefined }, ["SCANNED_AT_INVALID", "scanned_at"]],
  ["a time without offset", { scannedAt: "2026-03-31T11:59:00" }, ["SCANNED_AT_INVALID", "scanned_at"]],
  [
    "5 minutes and 1 ms ahead",
    { scannedAt: "2026-03-31T12:05:00.001Z" },
    ["SCANNED_AT_IN_FUTURE", "scanned_at"],
  ],
  ["5 minutes ahead", { scannedAt: "2026-03-31T12:05:00Z" }, []],
  ["30 days before the opening", { scannedAt: "2026-02-28T12:00:00Z" }, []],
  ["1 ms more", { scannedAt: "2026-02-28T11:59:59.999Z" }, ["SCANNED_AT_TOO_OLD", "scanned_at"]],
  ["an unknown method", { method: "nfc" }, ["SCAN_INVALID", "method"]],
  ["no method", { method: undefined }, ["SCAN_INVALID", "method"]],
  ["no device", { deviceId: " " }, ["SCAN_INVALID", "device_id"]],
  ["a device of 101 characters", { deviceId: "d".repeat(101) }, ["SCAN_INVALID", "device_id"]],
  ["an unknown field", { invalidFields: ["colour"] }, ["SCAN_INVALID", "colour"]],
  ["a code with a control character", { code: "A\u0000B" }, ["SCAN_INVALID", "code"]],
  ["a code of 257 characters", { code: "x".repeat(257) }, ["SCAN_INVALID", "code"]],
  ["an odd EPC", { code: undefined, epc: "ABC" }, ["SCAN_INVALID", "epc"]],
  ["an EPC that is text", { code: undefined, epc: "AR-1" }, ["SCAN_INVALID", "epc"]],
  ["all of it", { code: undefined, locationId: "", scannedAt: "" }, ["TAG_AMBIGUOUS", "code"]],
  ["location and time", { locationId: "", scannedAt: "" }, ["LOCATION_UNKNOWN", "location_id"]],
  ["time and method", { scannedAt: "", method: "" }, ["SCANNED_AT_INVALID", "scanned_at"]],
])("%s", (_name, fields, expected) => {
  expect(refusal(fields)).toEqual(expected);
});

test("the key is equal for the same device, time and text, in whatever form they are sent, and only then", () => {
  const keyOf = (fields: Partial<ScanItem>) => {
    const checked = check(fields);
    return "key" in checked ? checked.key : undefined;
  };
  const same = [
    { code: "\tAR-1" },
    { scannedAt: "2026-03-31T09:59:00.000Z" },
    { method: "barcode" },
    { deviceId: " d1" },
  ];
  for (const fields of same) expect(keyOf(fields)).toBe(keyOf({}));
  const other = [{ code: "ar-1" }, { scannedAt: "2026-03-31T09:59:00.001Z" }, { deviceId: "d2" }];
  for (const fields of other) expect(keyOf(fields)).not.toBe(keyOf({}));
  expect(keyOf({ code: undefined, epc: "ABCD" })).not.toBe(keyOf({ code: "ABCD" }));
});

test("any item gets an answer: a checked scan or a refusal with a field", () => {
  const anyText = fc.option(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("loc_1", "qr", "ABCD")), {
    nil: undefined,
  });
  const anyItem = fc.record({
    ...{ code: anyText, epc: anyText, locationId: anyText, method: anyText, deviceId: anyText },
    scannedAt: fc.oneof(
      anyText,
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    ),
    invalidFields: fc.array(fc.string(), { maxLength: 1 }),
  });
  fc.assert(
    fc.property(anyItem, (item) => {
      const checked = checkScan(item, rules);
      if ("refusal" in checked) expect(checked.refusal.field).toBeTypeOf("string");
      else expect(checked.normalised).toMatch(/^(code|epc):/);
    }),
  );
});
