import { expect, test } from "vitest";
import { parseAssetPageSearch } from "./asset-page-search.ts";

test("the tab and the day of an address are read", () =>
  expect(parseAssetPageSearch({ tab: "history", day: "2026-01-31", page: 2 })).toEqual({
    tab: "history",
    day: "2026-01-31",
  }));

test.each(["yesterday", "2026-13-01", 20260131])("%j is no day, and an unknown tab is the first one", (day) =>
  expect(parseAssetPageSearch({ tab: "robots", day })).toEqual({}),
);

test("the days in which an asset was seen are read", () =>
  expect(parseAssetPageSearch({ tab: "seen", from: "2026-01-31", to: "later" })).toEqual({
    tab: "seen",
    from: "2026-01-31",
  }));
