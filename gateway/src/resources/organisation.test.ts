import { DepreciationMethod } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { describe, expect, test } from "vitest";
import { collectionOf } from "./organisation.ts";

describe("a merge patch of a record", () => {
  const { toUpdate, toRecord } = collectionOf("categories");

  test("null clears an optional field: it is in the mask and not in the record", () => {
    const { record, updateMask } = toUpdate("cat_1", { name: "Laptops", code: null });
    expect(record).toMatchObject({ id: "cat_1", kind: OrganisationKind.CATEGORY, name: "Laptops" });
    expect(record).not.toHaveProperty("code");
    expect(updateMask.paths).toEqual(["name", "code"]);
  });

  test("the fields of a depreciation are merged, null clears one or all of them", () => {
    const depreciation = { method: "macrs", convention: null } as never;
    const { record, updateMask } = toUpdate("cat_1", { depreciation });
    expect(record.depreciation).toMatchObject({ method: DepreciationMethod.MACRS });
    expect(updateMask.paths).toEqual(["depreciation.method", "depreciation.convention"]);
    const cleared = toUpdate("cat_1", { depreciation: null as never });
    expect([cleared.record.depreciation, cleared.updateMask.paths]).toEqual([undefined, ["depreciation"]]);
  });

  test("a new category has its depreciation as a whole", () => {
    const { depreciation } = toRecord({ name: "Laptops", depreciation: { useful_life_months: 36 } });
    expect(depreciation).toMatchObject({ usefulLifeMonths: 36 });
  });

  test("only optional fields can be null", () => {
    const types = ({ properties }: { properties: object }, name: string) =>
      (properties as Record<string, { type: unknown }>)[name]?.type;
    const { patch } = collectionOf("floors");
    expect([types(patch, "name"), types(patch, "level"), types(patch, "building_id")]).toEqual([
      "string",
      "integer",
      "string",
    ]);
    expect(types(collectionOf("locations").patch, "floor_id")).toEqual(["string", "null"]);
  });
});
