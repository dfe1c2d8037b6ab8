import { expect, test } from "vitest";
import { createEpcFilter } from "./epc-filter.ts";

test("an EPC passes the filter when it begins with one of the prefixes, in any case of the letters", () => {
  const passes = createEpcFilter(["3034", "e280"]);
  expect(["30340001", "E2801160", "30350001"].map(passes)).toEqual([true, true, false]);
});

test("without prefixes every EPC passes the filter", () => {
  expect(createEpcFilter([])("ABCD")).toBe(true);
});
