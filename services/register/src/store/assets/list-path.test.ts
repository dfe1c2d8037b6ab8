import { describe, expect, test } from "vitest";
import {
  type Counted,
  cheapest,
  containsAll,
  type FilterField,
  listLimits,
  listPaths,
  selectorsOf,
} from "./list-path.ts";

const { few: FEW, counted: COUNTED } = listLimits;
const word = (prefix: string, count: number): Counted => ({ selector: { by: "word", prefix }, count });
const field = (name: FilterField, count: number): Counted => ({
  selector: { by: "field", field: name, value: "x" },
  count,
});
/** The index of words contains statuses and categories, that of properties all fields, and others none. */
const contained = (selector: Counted["selector"]): readonly string[] => {
  if (selector.by === "word") return ["statusId", "categoryId"];
  return selector.field === "propertyId" ? ["statusId", "categoryId", "locationId", "custodianId"] : [];
};

test("the selectors of a filter are its words and fields, the narrowest fields first", () => {
  const filter = {
    prefixes: ["drill", "acme"],
    statusId: "sta_1",
    custodianId: "cst_1",
    includeDeleted: false,
  };
  expect(selectorsOf(filter)).toEqual([
    { by: "word", prefix: "drill" },
    { by: "word", prefix: "acme" },
    { by: "field", field: "custodianId", value: "cst_1" },
    { by: "field", field: "statusId", value: "sta_1" },
  ]);
});

describe("the cheapest selector", () => {
  test("is the one with the fewest assets", () => {
    const rare = word("rare", 3);
    expect(cheapest([word("acme", COUNTED), rare, field("statusId", COUNTED)], contained)).toBe(rare);
  });

  test("may have more assets if its index contains the others", () => {
    const property = field("propertyId", 40_000);
    expect(cheapest([field("categoryId", 20_000), property], contained)).toBe(property);
    expect(cheapest([field("categoryId", 3_000), property], contained)).not.toBe(property);
  });

  test("is the first of equals, and missing without selectors", () => {
    const first = word("acme", COUNTED);
    expect(cheapest([first, word("borealis", COUNTED)], contained)).toBe(first);
    expect(cheapest([], contained)).toBeUndefined();
  });
});

test("an index of words contains no second word", () => {
  const acme = word("acme", COUNTED);
  expect(containsAll(acme.selector, [acme], contained)).toBe(true);
  expect(containsAll(acme.selector, [acme, field("statusId", 9)], contained)).toBe(true);
  expect(containsAll(acme.selector, [acme, field("locationId", 9)], contained)).toBe(false);
  expect(containsAll(acme.selector, [acme, word("drill", 9)], contained)).toBe(false);
});

describe("the ways to read a list", () => {
  const pathsOf = (driver: Counted | undefined, isById: boolean, isCovered = false) =>
    listPaths(driver, { isById, isCovered }).map((path) =>
      path.by === "order" ? `order ${path.most ?? "all"}` : path.by,
    );

  test.each<[string, Counted | undefined, boolean, string[]]>([
    ["without a filter, the index of the order", undefined, false, ["order all"]],
    ["few assets are sorted", word("rare", FEW), false, ["selector"]],
    ["few assets are sorted by id too", word("rare", FEW), true, ["selector"]],
    ["a field has the order of ids", field("statusId", COUNTED), true, ["selector"]],
    [
      "many assets in another order are found among the first ones, or sorted",
      field("statusId", FEW + 1),
      false,
      ["order 6000", "selector"],
    ],
    [
      "a common word is read word by word, unless many begin with it",
      word("acme", FEW + 1),
      true,
      ["words", "order 6000", "selector"],
    ],
  ])("%s", (_rule, driver, isById, paths) => {
    expect(pathsOf(driver, isById)).toEqual(paths);
  });

  test("a single prefix of many words reads fewer assets in order, since its entries are sorted faster", () => {
    expect(pathsOf(word("0", COUNTED), true, true)).toEqual(["words", "order 2000", "selector"]);
  });

  test("only the last one has no bound", () => {
    for (const isById of [true, false]) {
      const paths = listPaths(word("acme", COUNTED), { isById, isCovered: true });
      expect(paths.at(-1)).toEqual({ by: "selector", selector: word("acme", 0).selector });
    }
  });
});
