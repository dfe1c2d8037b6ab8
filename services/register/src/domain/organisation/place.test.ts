import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OrganisationFields, OrganisationRecord } from "./organisation.ts";
import { decideLocationPlace, decidePlace, placeOf } from "./place.ts";

const record = (id: string, fields: OrganisationFields): OrganisationRecord => ({
  ...fields,
  id,
  workspaceId: "wsp_1",
  rev: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});
const name = "n";
const property = record("prp_1", { kind: "property", name });
const otherProperty = record("prp_2", { kind: "property", name });
const building = record("bld_1", { kind: "building", name, propertyId: "prp_1" });
const floor = record("flr_1", { kind: "floor", name, level: 0, buildingId: "bld_1", propertyId: "prp_1" });
const otherFloor = record("flr_2", {
  kind: "floor",
  name,
  level: 1,
  buildingId: "bld_1",
  propertyId: "prp_1",
});
const room = record("loc_1", { kind: "location", name, ...placeOf(floor) });
const yard = record("loc_2", { kind: "location", name, propertyId: "prp_1" });
const whole = { propertyId: "prp_1", buildingId: "bld_1", floorId: "flr_1" };

describe("decidePlace", () => {
  it("the lowest record decides all levels above it", () => {
    expect(decidePlace({ location: room })).toEqual({ place: whole, disagreements: [] });
    expect(decidePlace({ floor }).place).toEqual(whole);
    expect(decidePlace({}).place).toEqual({});
  });

  it("an ancestor that differs is a disagreement on its field", () => {
    const { disagreements } = decidePlace({ location: room, floor: otherFloor, property: otherProperty });
    expect(disagreements.map(({ field }) => field)).toEqual(["property_id", "floor_id"]);
  });

  it("a floor is a disagreement for a location that is directly on a property", () => {
    expect(decidePlace({ location: yard, floor }).disagreements).toHaveLength(1);
  });

  it("the decided place can be given again without disagreement", () => {
    const one = <T>(value: T) => fc.option(fc.constant(value), { nil: undefined });
    const named = fc.record({
      property: one(property),
      building: one(building),
      floor: one(floor),
      location: one(room),
    });
    fc.assert(fc.property(named, (given) => decidePlace(given).disagreements.length === 0));
  });
});

describe("decideLocationPlace", () => {
  it("a location inherits from its parent what it does not name", () => {
    expect(decideLocationPlace({}, room).place).toEqual(whole);
    expect(decideLocationPlace({ property }, room).place).toEqual(whole);
    expect(decideLocationPlace({ floor }, yard).place).toEqual(whole);
  });

  it("a parent on another floor or property is a disagreement", () => {
    expect(decideLocationPlace({ floor: otherFloor }, room).disagreements[0]?.field).toBe("parent_id");
    expect(decideLocationPlace({ property: otherProperty }, yard).disagreements[0]?.field).toBe("parent_id");
  });

  it("a property that does not contain the floor is a disagreement", () => {
    expect(decideLocationPlace({ floor, property: otherProperty }, undefined).disagreements[0]?.field).toBe(
      "property_id",
    );
  });
});
