import { expect, test } from "vitest";
import { parsePeopleSearch } from "./people-search.ts";

test("an address gives the search that it was made from; other parameters are left out", () => {
  const search = { tab: "departments", q: "lab" };
  expect(parsePeopleSearch({ ...search, page: 4 })).toEqual(search);
});

test("an unknown tab is the first one; a search for a number is a text", () =>
  expect(parsePeopleSearch({ tab: "robots", q: 1815 })).toEqual({ q: "1815" }));
