import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OrganisationRecord } from "../organisation/organisation.ts";
import {
  type AssetPlace,
  changedPlace,
  emptyPlace,
  keptBy,
  levelFields,
  lowestOf,
  placeLevels,
  setPlace,
} from "./asset-place.ts";

const at = new Date(0);
const record = (
  kind: OrganisationRecord["kind"],
  id: string,
  above: Partial<OrganisationRecord> = {},
): OrganisationRecord => ({
  ...{ id, kind, workspaceId: "wsp_1", name: id, rev: 1, createdAt: at, updatedAt: at },
  ...above,
});
const property = record("property", "prp_1");
const building = record("building", "bld_1", { propertyId: "prp_1" });
const floor = record("floor", "flr_1", { propertyId: "prp_1", buildingId: "bld_1" });
const room = record("location", "loc_1", { propertyId: "prp_1", buildingId: "bld_1", floorId: "flr_1" });
const yard = record("location", "loc_2", { propertyId: "prp_1" });
const complete: AssetPlace = {
  propertyId: "prp_1",
  buildingId: "bld_1",
  floorId: "flr_1",
  locationId: "loc_1",
};

describe("setPlace()", () => {
  it("the lowest named level decides those above and empties those below", () => {
    expect(setPlace({ location: room }, [])).toEqual({ place: complete, disagreements: [] });
    expect(setPlace({ floor }, ["location"]).place).toEqual({ ...complete, locationId: undefined });
    expect(setPlace({ property, building }, []).place).toEqual({ propertyId: "prp_1", buildingId: "bld_1" });
  });

  it("a named level that disagrees is refused, and so is a null above the decided place", () => {
    const other = record("property", "prp_2");
    expect(setPlace({ location: room, property: other }, []).disagreements).toMatchObject([
      { field: "property_id" },
    ]);
    expect(setPlace({ location: room }, ["floor"]).disagreements).toMatchObject([{ field: "floor_id" }]);
    // The location has no floor and no building.
    expect(setPlace({ location: yard }, ["floor", "building"]).disagreements).toEqual([]);
  });
});

describe("emptyPlace()", () => {
  it("null empties its level and those below, and keeps those above", () => {
    expect(emptyPlace(complete, ["location"])).toEqual({ ...complete, locationId: undefined });
    expect(emptyPlace(complete, ["location", "building"])).toEqual({ propertyId: "prp_1" });
    expect(emptyPlace(complete, ["property"])).toEqual({});
  });

  it("for any levels: the highest emptied one separates kept from empty", () => {
    const levels = fc.subarray([...placeLevels], { minLength: 1 });
    fc.assert(
      fc.property(levels, (emptied) => {
        const highest = Math.min(...emptied.map((level) => placeLevels.indexOf(level)));
        const place = emptyPlace(complete, emptied);
        const kept = placeLevels.filter((level) => place[levelFields[level]] !== undefined);
        expect(kept).toEqual(placeLevels.slice(0, highest));
        expect(lowestOf(place)).toBe(highest === 0 ? undefined : place[levelFields[kept.at(-1)!]]);
      }),
    );
  });
});

describe("changedPlace()", () => {
  const none = new Map<string, OrganisationRecord>();

  it("a named level decides, and a level that is set to null contradicts it", () => {
    const change = { given: ["location"], named: { location: room } } as const;
    expect(changedPlace({ propertyId: "prp_9" }, change, none)).toEqual(complete);
    expect(keptBy(complete, change)).toBeUndefined();
    const contradiction = { given: ["floor", "location"], named: { location: room } } as const;
    expect(() => changedPlace({}, contradiction, none)).toThrow();
  });

  it("a change that only empties keeps the lowest level above, with the ancestors that it has now", () => {
    const change = { given: ["location"], named: {} } as const;
    expect(keptBy(complete, change)).toBe("flr_1");
    const moved = record("floor", "flr_1", { propertyId: "prp_2", buildingId: "bld_2" });
    expect(changedPlace(complete, change, new Map([["flr_1", moved]]))).toEqual({
      ...{ propertyId: "prp_2", buildingId: "bld_2", floorId: "flr_1" },
      locationId: undefined,
    });
    // The record is deleted.
    expect(changedPlace(complete, change, none)).toEqual({ ...complete, locationId: undefined });
  });

  it("a change without a place changes none", () => {
    expect(changedPlace(complete, { given: [], named: {} }, none)).toEqual({});
    expect(keptBy(complete, { given: [], named: {} })).toBeUndefined();
  });
});
