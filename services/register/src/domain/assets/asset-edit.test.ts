import { expect, it } from "vitest";
import { at, by, testAsset } from "../../../test/test-asset.ts";
import { type Asset, netBookValue } from "./asset.ts";
import { assertMayEdit, editChanges, formerNumbers } from "./asset-edit.ts";

const asset = (fields: Partial<Asset> = {}): Asset => testAsset({ currency: "KWD", ...fields });

it("changes are texts by their names in HTTP, with amounts in major units of the currency", () => {
  const before = asset({ cost: 1_500, model: "X1" });
  const after = { ...before, cost: undefined, salvageValue: 5, usefulLifeMonths: 36, model: "X2" };
  expect(editChanges(before, after)).toEqual([
    { field: "model", before: "X1", after: "X2" },
    { field: "cost", before: "1.500" },
    { field: "salvage_value", after: "0.005" },
    { field: "useful_life_months", after: "36" },
  ]);
  expect(editChanges(before, { ...before })).toEqual([]);
});

it("the levels above a new location follow from it; without one they are changes of their own", () => {
  const before = asset({ locationId: "loc_1", floorId: "flr_1" });
  expect(editChanges(before, { ...before, locationId: "loc_2", floorId: "flr_2" })).toEqual([]);
  expect(editChanges(before, { ...before, locationId: undefined, floorId: "flr_2" })).toEqual([
    { field: "floor_id", before: "flr_1", after: "flr_2" },
  ]);
});

it("a disposed asset keeps number, place, custodian and finance fields; descriptions may be corrected", () => {
  const disposed = asset({ disposed: { at, date: "2026-03-01", method: "scrapped", by } });
  const kept = [
    "number",
    "property_id",
    "location_id",
    "custodian_id",
    "cost",
    "supplier",
    "in_service_date",
  ];
  for (const field of kept) {
    expect(() => assertMayEdit(disposed, [{ field }]), field).toThrow("has been disposed of");
    expect(() => assertMayEdit(asset(), [{ field }])).not.toThrow();
  }
  const free = ["name", "description", "manufacturer", "model", "serial_number", "category_id"];
  expect(() =>
    assertMayEdit(
      disposed,
      free.map((field) => ({ field })),
    ),
  ).not.toThrow();
});

it("an earlier number is kept once, and a change of case keeps none", () => {
  const first = asset({ number: "A-1" });
  expect(formerNumbers(first, "a-1")).toBeUndefined();
  const second = asset({ number: "A-2", formerNumbers: formerNumbers(first, "A-2") });
  expect(second.formerNumbers).toEqual(["a-1"]);
  const back = asset({ number: "A-1", formerNumbers: formerNumbers(second, "A-1") });
  expect(formerNumbers(back, "A-3")).toEqual(["a-1", "a-2"]);
});

it("the net book value is the cost until finance has published figures", () => {
  expect(netBookValue(asset({ cost: 100, nbv: 70 }))).toBe(100);
  expect(netBookValue(asset({ nbv: 70 }))).toBeUndefined();
  expect(netBookValue(asset({ cost: 100, nbv: 100, accumulatedDepreciation: 0 }))).toBe(100);
  expect(netBookValue(asset({ cost: 100, nbv: 70, accumulatedDepreciation: 30 }))).toBe(70);
});
