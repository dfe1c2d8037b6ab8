import { expect, it } from "vitest";
import { archiveId, dateOfDay, dayOfDate } from "./archive.ts";

it("a day is a number and a date", () => {
  expect(dayOfDate("1970-01-02")).toBe(1);
  expect(dateOfDay(dayOfDate("2026-02-28") ?? 0)).toBe("2026-02-28");
});

it.each(["2026-02-30", "2026-2-3", "20260203", "2026-02-03T00:00:00Z", "", "today"])(
  "%j is no day",
  (text) => {
    expect(dayOfDate(text)).toBeUndefined();
  },
);

it("a workspace has one file of a kind and day", () => {
  expect(archiveId({ workspaceId: "wsp_1", kind: "events", day: 1 })).toBe("wsp_1:events:1970-01-02");
});
