import { timestampDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { parseDue } from "./checkout.ts";

test("a date stays a date: its day is the workspace's to tell", () => {
  expect(parseDue("2026-01-31", "due_at")).toEqual({ case: "dueOn", value: "2026-01-31" });
});

test("an instant is one, in whatever zone it was written", () => {
  const due = parseDue("2026-01-31T10:30:00+01:00", "due_at");
  expect(due.case === "dueAt" && timestampDate(due.value).toISOString()).toBe("2026-01-31T09:30:00.000Z");
});

test("nothing given is open-ended", () => {
  expect(parseDue(undefined, "due_at")).toEqual({ case: undefined });
});

test("what is neither is refused by its field", () => {
  expect(() => parseDue("2026-01-31T09:30:00", "due_date")).toThrow(
    expect.objectContaining({ violations: [{ field: "due_date", message: expect.any(String) }] }),
  );
});
