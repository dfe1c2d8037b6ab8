import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OrganisationFields, OrganisationRecord } from "./organisation.ts";
import { placeFields, placeOf } from "./place.ts";
import { changeLocationPlace, findTornApart, placesBelow } from "./place-change.ts";

const record = (id: string, fields: Omit<OrganisationFields, "name">): OrganisationRecord => ({
  ...{ ...fields, name: id, id, workspaceId: "wsp_1", rev: 1 },
  createdAt: new Date(0),
  updatedAt: new Date(0),
});
const other = record("prp_2", { kind: "property" });
const building = record("bld_1", { kind: "building", propertyId: "prp_1" });
const floor = record("flr_1", { kind: "floor", buildingId: "bld_1", propertyId: "prp_1" });
const upstairs = record("flr_2", { kind: "floor", buildingId: "bld_1", propertyId: "prp_1" });
const room = record("loc_room", { kind: "location", ...placeOf(floor) });
const yard = record("loc_yard", { kind: "location", propertyId: "prp_1" });
const shelf = record("loc_shelf", { kind: "location", ...placeOf(floor), parentId: room.id });
const onFloor = { propertyId: "prp_1", buildingId: "bld_1", floorId: "flr_1" };

describe("changeLocationPlace", () => {
  const place = (...args: Parameters<typeof changeLocationPlace>) => changeLocationPlace(...args).place;
  const fields = (...args: Parameters<typeof changeLocationPlace>) =>
    changeLocationPlace(...args).disagreements.map(({ field }) => field);

  it("what was inherited follows the new parent", () => {
    expect(place(shelf, room, { parent: yard })).toEqual({ propertyId: "prp_1" });
    const inYard = { ...shelf, ...placeFields({ propertyId: "prp_1" }) };
    expect(place(inYard, yard, { parent: room })).toEqual(onFloor);
  });

  it("what a location has of its own stays, and must agree with the new parent", () => {
    const own = { ...shelf, parentId: yard.id };
    expect(place(own, yard, { parent: room })).toEqual(onFloor);
    const elsewhere = record("loc_1", { kind: "location", ...placeOf(upstairs) });
    expect(fields(own, yard, { parent: elsewhere })).toEqual(["parent_id"]);
  });

  it("without a parent it stays where it is", () => {
    expect(place(shelf, room, { parent: null })).toEqual(onFloor);
  });

  it("the lowest level that is named decides; a higher one that differs is refused", () => {
    expect(place(room, undefined, { floor: upstairs })).toEqual({ ...onFloor, floorId: "flr_2" });
    expect(place(room, undefined, { property: other })).toEqual({ propertyId: "prp_2" });
    expect(fields(room, undefined, { floor, property: other })).toEqual(["property_id"]);
    expect(fields(shelf, room, { property: other })).toEqual(["parent_id"]);
  });

  it("null empties a level and those below, and keeps those above", () => {
    expect(place(room, undefined, { floor: null })).toEqual({ propertyId: "prp_1" });
    expect(place(room, undefined, { property: null })).toEqual({});
    expect(place(shelf, room, { floor: null })).toEqual(onFloor);
  });
});

describe("placesBelow", () => {
  it("below a building only the property changes, below a floor also the building", () => {
    const moved = { ...building, propertyId: "prp_2" };
    const placed = placesBelow(building, moved, [floor, room]);
    expect(placed.map(({ place }) => place)).toEqual([
      { propertyId: "prp_2", buildingId: "bld_1", floorId: undefined },
      { ...onFloor, propertyId: "prp_2" },
    ]);
    const lifted = { ...floor, buildingId: "bld_2", propertyId: "prp_2" };
    expect(placesBelow(floor, lifted, [room])[0]?.place).toEqual({ ...placeOf(lifted) });
  });

  it("below a location each level follows, but for a floor of its own", () => {
    const box = record("loc_box", { kind: "location", ...placeOf(floor), parentId: shelf.id });
    const moved = { ...room, ...placeFields({ propertyId: "prp_1" }) };
    const placed = placesBelow(room, moved, [shelf, box]);
    expect(placed.map(({ place }) => place)).toEqual([{ propertyId: "prp_1" }, { propertyId: "prp_1" }]);
    const hut = record("loc_hut", { kind: "location", ...placeOf(floor), parentId: yard.id });
    expect(placesBelow(yard, { ...yard, propertyId: "prp_2" }, [hut])[0]?.place).toEqual(onFloor);
  });

  it("a move there and back gives all locations below their place again", () => {
    const depths = fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(depths, (parents) => {
        const below = parents.map((parent, index) => {
          const parentId = index === 0 ? room.id : `loc_${parent % index}`;
          return record(`loc_${index}`, { kind: "location", ...placeOf(floor), parentId });
        });
        const moved = { ...room, ...placeFields({ propertyId: "prp_2" }) };
        const there = placesBelow(room, moved, below).map((one) => ({
          ...one.record,
          ...placeFields(one.place),
        }));
        const back = placesBelow(moved, room, there);
        expect(back.map(({ place }) => place)).toEqual(below.map(placeFields));
      }),
    );
  });
});

describe("findTornApart", () => {
  it("a location whose parent stays on another property is found, one that goes along is not", () => {
    const hut = record("loc_hut", { kind: "location", ...placeOf(floor), parentId: yard.id });
    const moved = { ...building, propertyId: "prp_2" };
    const placed = placesBelow(building, moved, [floor, room, shelf, hut]);
    expect(findTornApart(moved, placed, new Map([[yard.id, yard]]))?.id).toBe(hut.id);
    expect(findTornApart(moved, placed.slice(0, 3), new Map())).toBeUndefined();
  });
});
