import { expect, test } from "vitest";
import type { Asset } from "../assets/asset.ts";
import { isInScope } from "./scope.ts";

const asset = (fields: Partial<Asset>) => fields as Asset;
const shelf = { field: "locationId", ids: new Set(["loc_1", "loc_2"]) } as const;

test("an asset is in a scope by the field that the scope compares", () => {
  expect(isInScope(asset({ locationId: "loc_2" }), shelf)).toBe(true);
  expect(isInScope(asset({ locationId: "loc_3", propertyId: "loc_1" }), shelf)).toBe(false);
  expect(isInScope(asset({}), shelf)).toBe(false);
  expect(isInScope(asset({}), undefined)).toBe(true);
});

test("deleted and disposed assets are in no scope", () => {
  const disposed = {
    at: new Date(),
    date: "2026-01-01",
    method: "sold",
    by: { kind: "user", id: "u" },
  } as const;
  for (const scope of [shelf, undefined]) {
    expect(isInScope(asset({ locationId: "loc_1", deletedAt: new Date() }), scope)).toBe(false);
    expect(isInScope(asset({ locationId: "loc_1", disposed }), scope)).toBe(false);
  }
});
