import { expect, test } from "vitest";
import { computed, type DueRow } from "./due-row.ts";
import type { PmSchedule } from "./pm-schedule.ts";

const row: DueRow = {
  ...{ id: "pmd_1", workspaceId: "wsp_1", pmScheduleId: "pms_1", assetId: "ast_1" },
  ...{ lastCompletedOn: "2026-01-31", lastDueOn: "2026-01-31", calibration: false, metered: false },
  endsOn: "",
};
const schedule = (fields: Partial<PmSchedule>): PmSchedule => ({
  ...{ id: "pms_1", workspaceId: "wsp_1", assetId: "ast_1", status: "active", rev: 1, title: "Oil" },
  ...{ progress: { done: 1, total: 1 }, createdAt: new Date(0), createdBy: { kind: "user", id: "usr_1" } },
  template: { type: "preventive", priority: "medium" },
  ...fields,
});
const monthly: Partial<PmSchedule> = {
  ...{ intervalValue: 1, intervalUnit: "month", basis: "fixed", anchorOn: "2026-01-31" },
};
const timeZone = "Europe/Berlin";
const readings = [
  { value: 1_000, readAt: new Date("2026-02-01T12:00:00Z") },
  { value: 1_500, readAt: new Date("2026-02-09T23:30:00Z") },
];

test("a row of a schedule without a meter has the date of the calendar, and readings do not count", () => {
  expect(computed(row, { schedule: schedule(monthly), readings, timeZone })).toEqual({
    ...row,
    ...{ nextDueOn: "2026-02-28", nextDueMeter: undefined, metered: false, endsOn: "9999-12-31" },
  });
});

test("a meter that reached its limit makes the row due on that day in the workspace's time zone", () => {
  const metered = schedule({ ...monthly, meterInterval: 500, endsOn: "2026-12-31" });
  expect(computed(row, { schedule: metered, readings, timeZone })).toEqual({
    ...row,
    ...{ nextDueOn: "2026-02-10", nextDueMeter: 1_500, metered: true, endsOn: "2026-12-31" },
  });
});

test("a row that only counts units has no date before its meter reached the limit", () => {
  const metered = schedule({ meterInterval: 501, template: { type: "calibration", priority: "medium" } });
  const found = computed(row, { schedule: metered, readings, timeZone });
  expect(found).toMatchObject({ nextDueOn: undefined, nextDueMeter: 1_501, calibration: true });
});

test("a metered row without readings has neither a date nor a limit of its meter", () => {
  const found = computed(row, { schedule: schedule({ meterInterval: 500 }), readings: [], timeZone });
  expect(found).toMatchObject({ nextDueOn: undefined, nextDueMeter: undefined, metered: true });
});
