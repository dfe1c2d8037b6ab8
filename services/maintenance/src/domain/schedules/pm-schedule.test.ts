import { describe, expect, test } from "vitest";
import {
  assertCanGenerate,
  assertNotEnded,
  assertNotFilling,
  assertStaysPlan,
  changesDueDates,
  checkedSchedule,
  duePlan,
  isPast,
  openFrom,
  type PmSchedule,
  type PmScheduleFields,
} from "./pm-schedule.ts";

const monthly: PmScheduleFields = {
  ...{ title: "Grease the bearings", intervalValue: 1, intervalUnit: "month", basis: "floating" },
  ...{ anchorOn: "2026-01-31", endsOn: "2026-12-31", leadDays: 7 },
  template: { type: "preventive", priority: "medium" },
};
const metered: PmScheduleFields = {
  ...{ title: "Change the oil", meterInterval: 500 },
  template: { type: "preventive", priority: "medium" },
};
const calibration = { template: { type: "calibration", priority: "medium" } } as const;
const schedule = (fields: Partial<PmSchedule> = {}): PmSchedule => ({
  ...{ ...monthly, id: "pms_1", workspaceId: "wsp_1", assetId: "ast_1", status: "active", rev: 1 },
  ...{ progress: { done: 1, total: 1 }, createdAt: new Date(0), createdBy: { kind: "user", id: "usr_1" } },
  ...fields,
});

describe("the plan of due dates", () => {
  test("has the interval, the basis and both ends of the schedule", () => {
    expect(duePlan(monthly)).toEqual({
      ...{ interval: { value: 1, unit: "month" }, basis: "floating", calibration: false },
      ...{ anchorOn: "2026-01-31", endsOn: "2026-12-31" },
    });
    expect(duePlan({ ...monthly, ...calibration })).toMatchObject({ calibration: true });
  });

  test("of a schedule that only counts units has no interval and is fixed", () => {
    expect(duePlan(metered)).toEqual({ basis: "fixed", calibration: false });
    expect(duePlan({ ...metered, intervalValue: 1 }).interval).toBeUndefined();
    expect(duePlan({ ...metered, intervalUnit: "day" }).interval).toBeUndefined();
  });
});

describe("the fields of a schedule", () => {
  const today = "2026-03-10";
  const violationsOf = (fields: PmScheduleFields) => {
    try {
      return checkedSchedule(fields, today) && [];
    } catch (error) {
      expect(error).toMatchObject({ code: "VALIDATION_FAILED" });
      const { violations } = error as { violations: { field: string; message: string }[] };
      return violations.map(({ field, message }) => `${field} ${message}`);
    }
  };

  test("are complete with an interval, with units of a meter, or with both", () => {
    expect(checkedSchedule(monthly, today)).toEqual(monthly);
    expect(checkedSchedule(metered, today)).toEqual(metered);
    expect(violationsOf({ ...monthly, meterInterval: 500 })).toEqual([]);
  });

  test("the anchor is today by default, and a schedule without an interval has none", () => {
    expect(checkedSchedule({ ...monthly, anchorOn: undefined }, today).anchorOn).toBe(today);
    expect(checkedSchedule(metered, today).anchorOn).toBeUndefined();
  });

  test.each<[string, Partial<PmScheduleFields>, string[]]>([
    [
      "neither an interval nor a meter",
      { intervalValue: undefined, intervalUnit: undefined },
      ["interval_value or meter_interval is required"],
    ],
    ["no value", { intervalValue: undefined }, ["interval_value is required with interval_unit"]],
    ["no unit", { intervalUnit: undefined }, ["interval_unit is required with interval_value"]],
    ["no basis", { basis: undefined }, ["basis is required with an interval"]],
    ["an end before the anchor", { endsOn: "2026-01-30" }, ["ends_on must not be before anchor_on"]],
    [
      "an end before today, the anchor",
      { anchorOn: undefined, endsOn: "2026-03-09" },
      ["ends_on must not be before anchor_on"],
    ],
    [
      "two faults at once",
      { basis: undefined, endsOn: "2026-01-30" },
      ["basis is required with an interval", "ends_on must not be before anchor_on"],
    ],
  ])("are refused with %s", (_case, change, violations) => {
    expect(violationsOf({ ...monthly, ...change })).toEqual(violations);
  });

  test("may end on the day of the anchor", () => {
    expect(violationsOf({ ...monthly, endsOn: "2026-01-31" })).toEqual([]);
  });
});

describe("a change of a schedule", () => {
  test.each<[Partial<PmScheduleFields>, boolean]>([
    [{}, false],
    [{ title: "Grease all bearings", leadDays: 14 }, false],
    [{ template: { type: "inspection", priority: "high" } }, false],
    [calibration, true],
    [{ intervalValue: 2 }, true],
    [{ intervalUnit: "week" }, true],
    [{ meterInterval: 500 }, true],
    [{ basis: "fixed" }, true],
    [{ anchorOn: "2026-02-01" }, true],
    [{ endsOn: undefined }, true],
  ])("to %j computes due rows again: %s", (change, expected) => {
    expect(changesDueDates(monthly, { ...monthly, ...change })).toBe(expected);
  });

  test("a plan that calibrations name stays a calibration plan", () => {
    const plan = schedule(calibration);
    const violation = { field: "template.type", message: "must be calibration: calibrations name this plan" };
    expect(() => assertStaysPlan(plan, schedule(), true)).toThrow(
      expect.objectContaining({ code: "VALIDATION_FAILED", violations: [violation] }),
    );
    expect(() => assertStaysPlan(plan, schedule(), false)).not.toThrow();
    expect(() => assertStaysPlan(plan, schedule({ ...calibration, title: "New" }), true)).not.toThrow();
    expect(() => assertStaysPlan(schedule(), schedule({ title: "New" }), true)).not.toThrow();
  });
});

describe("the status of a schedule", () => {
  const ended = (message: string) =>
    expect.objectContaining({ kind: "invalid", code: "SCHEDULE_ENDED", message });

  test("a schedule that is being filled accepts no change", () => {
    expect(() => assertNotFilling({ status: "filling" })).toThrow(
      expect.objectContaining({
        ...{ kind: "conflict", code: "SCHEDULE_FILLING" },
        message: "The schedule is being filled. Retry when its status is active.",
        violations: [{ field: "status", message: "filling" }],
      }),
    );
    for (const status of ["active", "ended"] as const) {
      expect(() => assertNotFilling({ status })).not.toThrow();
    }
  });

  test("an ended schedule accepts no change and generates no orders", () => {
    const refused = ended("The schedule has ended.");
    expect(() => assertNotEnded({ status: "ended" })).toThrow(refused);
    expect(() => assertCanGenerate({ status: "ended" }, "2026-03-10")).toThrow(refused);
    for (const status of ["active", "filling"] as const) {
      expect(() => assertNotEnded({ status })).not.toThrow();
    }
  });

  test("a schedule generates orders up to its last day, which is in the past from the next day on", () => {
    const last = { status: "active", endsOn: "2026-03-10" } as const;
    const over = ended("The last day of the schedule is over.");
    expect(() => assertCanGenerate(last, "2026-03-09")).not.toThrow();
    expect(() => assertCanGenerate(last, "2026-03-10")).not.toThrow();
    expect(() => assertCanGenerate(last, "2026-03-11")).toThrow(over);
    expect(() => assertCanGenerate({ status: "active" }, "9999-12-31")).not.toThrow();
    expect([isPast(last, "2026-03-10"), isPast(last, "2026-03-11"), isPast({}, "9999-12-31")]).toEqual([
      ...[false, true, false],
    ]);
  });

  test("work is planned its lead days before it is due", () => {
    expect(openFrom("2026-03-05", { leadDays: 7 })).toBe("2026-02-26");
    expect(openFrom("2026-03-05", {})).toBe("2026-03-05");
    expect(openFrom(undefined, { leadDays: 7 })).toBeUndefined();
  });
});
