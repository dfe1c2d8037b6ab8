import { expect, test } from "vitest";
import { changesOf } from "./workspace-values.ts";

const before = {
  ...{ name: "Acme", time_zone: "UTC", fiscal_year_start: 1, number_prefix: "AST-" },
  require_mfa: false,
};

test("only the fields that differ are changes", () => {
  expect(changesOf({ ...before, name: "Acme Ltd" }, before)).toEqual({ name: "Acme Ltd" });
});
