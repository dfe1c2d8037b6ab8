import { AssetFacetsSchema } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { parseBy, presentFacets } from "./facets.ts";

describe("parseBy()", () => {
  it("absent means all facets; names are separated by commas, each counts once", () => {
    expect(parseBy(undefined)).toEqual(["status", "category", "location"]);
    expect(parseBy("location,status,location")).toEqual(["status", "location"]);
  });
});

describe("presentFacets()", () => {
  it("the facets that were asked for are shown; an asset without a value has id and name null", () => {
    const asOf = new Date("2026-11-26T10:00:00.000Z");
    const found = create(AssetFacetsSchema, {
      category: {
        values: [{ count: 3 }, { id: "cat_1", name: "Tools", count: 2 }],
        other: 1,
        isExact: false,
      },
      asOf: timestampFromDate(asOf),
    });
    expect(presentFacets(found, ["category"])).toEqual({
      category: {
        values: [
          { id: null, name: null, count: 3 },
          { id: "cat_1", name: "Tools", count: 2 },
        ],
        other: 1,
        is_exact: false,
      },
      as_of: asOf.toISOString(),
    });
  });

  it("too many matches: each facet that was asked for is null", () => {
    const found = create(AssetFacetsSchema, { tooMany: true });
    expect(presentFacets(found, ["status", "location"])).toEqual({
      status: null,
      location: null,
      too_many: true,
    });
  });
});
