import { expect, test } from "vitest";
import { parseLabelSearch } from "./label-search.ts";

test("the search of labels is that of assets, one asset, and the sheet that was made", () => {
  const search = { q: 12, location: "loc_1", asset: "ast_1", sheet: "lbl_1" };
  expect(parseLabelSearch({ ...search, sort: "name", other: 1 })).toEqual({ ...search, q: "12" });
  expect(parseLabelSearch({ asset: 5, sheet: "" })).toEqual({});
});
