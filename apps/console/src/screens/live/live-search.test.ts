import { expect, test } from "vitest";
import { parseLiveSearch } from "./live-search.ts";

test("the search of an address keeps a known tab, a zone and which readers are shown", () => {
  const search = { tab: "readers", zone: "zon_1", show: "silent" };
  expect(parseLiveSearch({ ...search, more: 1 })).toEqual(search);
  expect(parseLiveSearch({ tab: "x", zone: 1, show: "" })).toEqual({});
});
