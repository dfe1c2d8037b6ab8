import { expect, test } from "vitest";
import { findPlaces, type Place, parentField } from "./place-tree.ts";

const place = (type: Place["type"], name: string, children: Place[] = []): Place => ({
  ...{ type, name, children, id: name, code: null, level: null, asset_count: 0 },
});
const tree = [
  place("property", "North", [
    place("building", "Lab", [
      place("floor", "Ground floor", [place("location", "Room 1"), place("location", "Room 2")]),
    ]),
  ]),
  place("property", "South", [place("location", "Yard")]),
];

test("a place that matches is found with those above, which are open", () => {
  const { places, opened } = findPlaces(tree, " room 2 ");
  expect(places).toEqual([
    place("property", "North", [
      place("building", "Lab", [place("floor", "Ground floor", [place("location", "Room 2")])]),
    ]),
  ]);
  expect([...opened].sort()).toEqual(["Ground floor", "Lab", "North"]);
});

test("a place that matches keeps what is in it, and is closed", () => {
  const { places, opened } = findPlaces(tree, "SOUTH");
  expect(places).toEqual([tree[1]]);
  expect(opened.size).toBe(0);
});

test("without a text all places are found", () => expect(findPlaces(tree, " ").places).toBe(tree));

test("a location in a location names its parent", () => {
  expect(parentField(place("location", "Room 1"))).toBe("parent_id");
  expect(parentField(place("floor", "Ground floor"))).toBe("floor_id");
});
