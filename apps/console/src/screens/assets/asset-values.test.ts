import { expect, test } from "vitest";
import { changesOf, valuesOf } from "./asset-values.ts";

test("only changed fields are sent; an emptied field is null", () => {
  const before = { ...valuesOf(), name: "Drill", serial_number: "7", cost: 12.5, location_id: "loc_1" };
  const after = { ...before, name: "Drill 2", serial_number: "", cost: "", location_id: null };
  expect(changesOf(after, before)).toEqual({
    name: "Drill 2",
    serial_number: null,
    cost: null,
    location_id: null,
  });
});

test("a form that was not touched changes nothing", () =>
  expect(changesOf(valuesOf(), valuesOf())).toEqual({}));
