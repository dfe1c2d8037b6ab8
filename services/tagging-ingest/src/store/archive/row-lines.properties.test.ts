import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeRow, encodeRow } from "./row-lines.ts";

const text = fc.string({ unit: "grapheme" });
const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const base = { _id: text, workspaceId: text, readerId: text, epc: text };

const event = fc.record({
  // Rows of some releases may have no date of a field.
  ...{ ...base, ts: date, at: date, receivedAt: optional(date), count: fc.nat() },
  antenna: optional(fc.nat(64)),
  rssi: fc.option(
    fc.integer({ min: -120, max: 20 }).map((tenths) => (tenths || 1) / 10),
    { nil: null },
  ),
  late: optional(fc.constant(true)),
  weak: optional(fc.constant(true)),
});
const propertyRead = fc.record({ eventId: text, at: fc.nat(4e12), locationId: text, zoneId: optional(text) });
const sighting = fc.record({
  ...{ ...base, at: date, receivedAt: date, sequence: fc.nat(), change: text },
  ...{ tagId: optional(text), assetId: optional(text), fromZoneId: optional(text), directed: fc.boolean() },
  clone: optional(fc.record({ reads: fc.tuple(propertyRead, propertyRead), travelSeconds: fc.nat() })),
});

it.each([
  ["events", event],
  ["sightings", sighting],
] as const)("a row of %s comes back from its line as the database has it", (kind, row) => {
  fc.assert(
    fc.property(row, (stored) => {
      const line = encodeRow(stored);
      expect(line.indexOf("\n")).toBe(line.length - 1);
      // The database stores no undefined fields either.
      expect(decodeRow(kind, line.slice(0, -1))).toStrictEqual(withoutUndefined(stored));
    }),
  );
});

it.each([
  ["no JSON", "{"],
  ["no object", "null"],
  ["no id", `{"workspaceId":"wsp_1"}`],
  [
    "a wrong time",
    `{"_id":"a","workspaceId":"wsp_1","at":"yesterday","receivedAt":"2026-01-01T00:00:00.000Z"}`,
  ],
])("a line with %s is refused, so that no damaged row is restored", (_, line) => {
  expect(() => decodeRow("sightings", line)).toThrow();
});

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutUndefined(field)]));
}
