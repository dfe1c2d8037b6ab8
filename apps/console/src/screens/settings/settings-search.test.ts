import { expect, test } from "vitest";
import { parseSettingsSearch } from "./settings-search.ts";

test("the search of an address keeps a known tab and the filter of the audit log", () => {
  const search = { tab: "audit", actor: "usr_1", action: "user.invited" };
  expect(parseSettingsSearch({ ...search, other: "x" })).toEqual(search);
});

test("unknown tabs and values that are no text are left out", () => {
  expect(parseSettingsSearch({ tab: "secrets", actor: 1, action: "" })).toEqual({});
});
