import { expect, test } from "vitest";
import { changesBetween, changesTo, withDefined } from "./changes.ts";

test("changes contain the fields that differ, with only the sides that had a value", () => {
  const before = { name: "A", plan: "starter", gone: "x" };
  expect(changesBetween(before, { name: "A", plan: "business", made: "y" })).toEqual([
    { field: "plan", before: "starter", after: "business" },
    { field: "gone", before: "x" },
    { field: "made", after: "y" },
  ]);
});

test("numbers, instants and lists become texts, and an empty list counts as no value", () => {
  const at = new Date("2026-01-02T03:04:05.678Z");
  expect(changesBetween({ ids: ["a"], same: ["a"] }, { level: -1, at, ids: [], same: ["a"] })).toEqual([
    { field: "ids", before: "a" },
    { field: "level", after: "-1" },
    { field: "at", after: "2026-01-02T03:04:05.678Z" },
  ]);
});

test("a text over 4000 characters is cut between characters, and a difference after the cut is still a change", () => {
  const long = `${"x".repeat(3_998)}😀`;
  const [change] = changesBetween({ name: `${long}a` }, { name: `${long}b` });
  expect(change?.before).toHaveLength(4_000);
  expect(change?.before?.endsWith("…")).toBe(true);
  expect(change?.before?.isWellFormed()).toBe(true);
  expect(changesBetween({}, { name: "x".repeat(4_000) })).toEqual([
    { field: "name", after: "x".repeat(4_000) },
  ]);
});

test("the changes to a record are those of the fields of a change, in the order of the record", () => {
  const record = { id: "rdr_1", name: "A", zoneId: "zon_1", kind: "phone", autoMove: true };
  expect(changesTo(record, { locationId: "loc_1", autoMove: true, zoneId: undefined, name: "B" })).toEqual([
    { field: "name", before: "A", after: "B" },
    { field: "zone_id", before: "zon_1" },
    { field: "location_id", after: "loc_1" },
  ]);
});

test("a field that is undefined in a change stays as it is in the record", () => {
  const record: { name: string; plan?: string | undefined } = { name: "A", plan: "starter" };
  expect(withDefined(record, { name: "B", plan: undefined })).toEqual({ name: "B", plan: "starter" });
});
