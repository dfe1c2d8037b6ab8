import { expect, test } from "vitest";
import { rebased } from "./rebased.ts";

test("after a change by somebody else, a form has the new values and keeps what was typed", () => {
  const before = { name: "Drill", model: "", cost: 5 };
  const typed = { ...before, model: "D-1" };
  const now = { name: "Big drill", model: "D-0", cost: 7 };
  expect(rebased(typed, before, now)).toEqual({ name: "Big drill", model: "D-1", cost: 7 });
});
