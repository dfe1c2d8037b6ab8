import { expect, test } from "vitest";
import { eventTypes, eventTypesOf } from "./event-types.ts";

test("a filter is one type, or a group with a dot and a star", () => {
  expect(eventTypesOf("asset.moved")).toEqual(["asset.moved"]);
  expect(eventTypesOf("checkout.*")).toEqual(["checkout.created", "checkout.returned"]);
  expect(eventTypesOf("asset.*").every((type) => type.startsWith("asset."))).toBe(true);
  for (const none of [
    "",
    "*",
    ".*",
    "asset",
    "asset.",
    "ass.*",
    "assets.*",
    "asset.*.*",
    "asset.mov*",
    "toString",
  ]) {
    expect(eventTypesOf(none)).toEqual([]);
  }
});

test("the groups together have every type", () => {
  const types = Object.keys(eventTypes);
  const groups = new Set(types.map((type) => `${type.split(".")[0]}.*`));
  expect([...groups].flatMap(eventTypesOf).toSorted()).toEqual(types.toSorted());
});
