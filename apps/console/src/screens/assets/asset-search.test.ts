import { expect, test } from "vitest";
import { assetQuery, parseAssetSearch } from "./asset-search.ts";

test("an address gives the search that it was made from; other parameters are left out", () => {
  const search = { q: "drill", status: "sta_1", sort: "name" };
  expect(parseAssetSearch({ ...search, page: 4, category: "", location: ["loc_1"] })).toEqual(search);
});

test("a search for a number is a text", () => expect(parseAssetSearch({ q: 4711 })).toEqual({ q: "4711" }));

test("an unknown sort is the default of the list", () => {
  expect(assetQuery(parseAssetSearch({ sort: "price" }))).toEqual({ sort: "-updated_at" });
});

test("the columns of an address are a list of ids; they are no filter", () => {
  const search = parseAssetSearch({ columns: ["status", "custom_fields.size"] });
  expect(search).toEqual({ columns: ["status", "custom_fields.size"] });
  expect(assetQuery(search)).toEqual({ sort: "-updated_at" });
  expect(parseAssetSearch({ columns: "status" })).toEqual({});
});
