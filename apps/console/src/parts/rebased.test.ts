import { expect, test } from "vitest";
import { rebased } from "./rebased.ts";

test("after a change by somebody else, a form has the new values and keeps what was typed", () => {
  const before = { name: "Drill", model: "", cost: 5 };
  const typed = { ...before, model: "D-1" };
  const now = { name: "Big drill", model: "D-0", cost: 7 };
  expect(rebased(typed, before, now)).toEqual({ name: "Big drill", model: "D-1", cost: 7 });
});

test("in a group of fields too, only what was typed is kept", () => {
  const before = { name: "Dock", presence: { margin: 6, dwell: 10 } };
  const typed = { ...before, presence: { margin: 9, dwell: 10 } };
  const now = { name: "Yard", presence: { margin: 7, dwell: 20 } };
  expect(rebased(typed, before, now)).toEqual({ name: "Yard", presence: { margin: 9, dwell: 20 } });
});

test("a list that nobody typed in is the new one, although the form has a copy of it", () => {
  const rows = (prefix: string) => ({ rows: [{ prefix }] });
  expect(rebased(rows("30"), rows("30"), rows("E2"))).toEqual(rows("E2"));
  expect(rebased(rows("31"), rows("30"), rows("E2"))).toEqual(rows("31"));
});
