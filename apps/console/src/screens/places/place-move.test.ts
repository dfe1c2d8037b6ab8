import { expect, test } from "vitest";
import { moveBody, targetsFor } from "./place-move.ts";
import type { Place } from "./place-tree.ts";

const place = (type: Place["type"], name: string, children: Place[] = []): Place => ({
  ...{ type, name, children, id: name, code: null, level: null, asset_count: 0 },
});
const room = place("location", "Room", [place("location", "Shelf")]);
const tree = [
  place("property", "North", [place("building", "Lab", [place("floor", "Ground floor", [room])])]),
  place("property", "South", [place("location", "Yard")]),
];
const namesFor = (moved: Place): string[] => targetsFor(moved, tree).map(({ name }) => name);

test("a location can be moved to properties, floors and locations, but not into itself", () =>
  expect(namesFor(room)).toEqual(["North", "Ground floor", "South", "Yard"]));

test("a floor can be moved to buildings, a building to properties", () => {
  expect(namesFor(place("floor", "Attic"))).toEqual(["Lab"]);
  expect(namesFor(place("building", "Hall"))).toEqual(["North", "South"]);
});

test("a location that is moved keeps no floor or parent of its former place", () => {
  expect(moveBody(room, { type: "property", id: "prp_1" })).toEqual({
    property_id: "prp_1",
    floor_id: null,
    parent_id: null,
  });
  expect(moveBody(room, { type: "floor", id: "flr_1" })).toEqual({ floor_id: "flr_1", parent_id: null });
  expect(moveBody(room, { type: "location", id: "loc_1" })).toEqual({
    property_id: null,
    parent_id: "loc_1",
  });
});
