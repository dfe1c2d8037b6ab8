import { timestampDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { parseDue } from "./checkout.ts";

test("parseDue() keeps a date as a date, because its end depends on the time zone of the workspace", () => {
  expect(parseDue("2026-01-31", "due_at")).toEqual({ case: "dueOn", value: "2026-01-31" });
});

test("parseDue() reads an instant in any time zone", () => {
  const due = parseDue("2026-01-31T10:30:00+01:00", "due_at");
  expect(due.case === "dueAt" && timestampDate(due.value).toISOString()).toBe("2026-01-31T09:30:00.000Z");
});

test("parseDue() without a text is no due time", () => {
  expect(parseDue(undefined, "due_at")).toEqual({ case: undefined });
});

test("parseDue() refuses a time without a zone: VALIDATION_FAILED names the field", () => {
  expect(() => parseDue("2026-01-31T09:30:00", "due_date")).toThrow(
    expect.objectContaining({ violations: [{ field: "due_date", message: expect.any(String) }] }),
  );
});
