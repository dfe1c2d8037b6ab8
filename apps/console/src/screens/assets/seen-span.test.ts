import { expect, test } from "vitest";
import { spanOf } from "./seen-span.ts";

test("days begin and end by the wall clock of the workspace", () => {
  // The clock changes in between.
  expect(spanOf({ from: "2026-03-28", to: "2026-03-29" }, "Europe/Berlin")).toEqual({
    from: "2026-03-27T23:00:00.000Z",
    to: "2026-03-29T22:00:00.000Z",
  });
  expect(spanOf({ to: "2026-01-31" }, "UTC")).toEqual({ to: "2026-02-01T00:00:00.000Z" });
  expect(spanOf({}, "UTC")).toEqual({});
});

test.each([
  ["the last day before the first", { from: "2026-02-02", to: "2026-02-01" }],
  ["more than 90 days", { from: "2026-01-01", to: "2026-04-01" }],
  ["a day that has not come", { from: "9999-01-01" }],
])("%s is no time that the API takes", (_, days) => expect(spanOf(days, "UTC")).toBe("wrong"));

test("90 days are taken", () =>
  expect(spanOf({ from: "2026-01-01", to: "2026-03-31" }, "UTC")).toMatchObject({
    from: "2026-01-01T00:00:00.000Z",
  }));
