import { expect, test } from "vitest";
import { alertQuery, parseAlertSearch } from "./alert-search.ts";

test("the search of an address keeps a known tab, state and ids", () => {
  const search = { tab: "rules", state: "resolved", rule: "rul_1", asset: "ast_1" };
  expect(parseAlertSearch({ ...search, more: 1 })).toEqual(search);
  expect(parseAlertSearch({ tab: "x", state: "x", rule: "", asset: 5 })).toEqual({});
});

test("without a state the open alerts are listed; all of them have no filter", () => {
  expect(alertQuery({})).toEqual({ status: "open" });
  expect(alertQuery({ state: "all", asset: "ast_1" })).toEqual({ asset_id: "ast_1" });
});
