import { expect, test } from "vitest";
import { inheritedOf, presenceChangesOf, presenceOf, presenceValuesOf } from "./presence-values.ts";

const none = {
  ...{ report_interval_seconds: null, confirm_reads: null, dwell_seconds: null },
  ...{ leave_after_seconds: null, margin_db: null },
};
const empty = presenceValuesOf(null);

test("only fields that are set are sent", () => {
  expect(presenceOf(empty)).toEqual({});
  expect(presenceOf({ ...empty, dwell_seconds: 0, margin_db: "6.5" })).toEqual({
    ...{ dwell_seconds: 0, margin_db: 6.5 },
  });
});

test("the changes of a form have only the fields that differ; null clears one", () => {
  const before = { ...none, dwell_seconds: 0, margin_db: 3 };
  const values = presenceValuesOf(before);
  expect(presenceChangesOf(values, before)).toEqual({});
  expect(presenceChangesOf({ ...values, dwell_seconds: "", confirm_reads: 1 }, before)).toEqual({
    ...{ dwell_seconds: null, confirm_reads: 1 },
  });
  expect(presenceChangesOf(empty, null)).toEqual({});
});

test("an empty field has the value of the workspace, else the default", () => {
  expect(inheritedOf(empty, { ...none, leave_after_seconds: 45, dwell_seconds: 0 })).toEqual({
    report_interval_seconds: undefined,
    confirm_reads: { value: 2, from: "default" },
    dwell_seconds: { value: 0, from: "workspace" },
    leave_after_seconds: { value: 45, from: "workspace" },
    margin_db: { value: 6, from: "default" },
  });
});

test("a report interval bounds what is inherited: one read confirms, and a tag leaves after three reports", () => {
  const workspace = { ...none, confirm_reads: 3, leave_after_seconds: 45, report_interval_seconds: 5 };
  const inherited = inheritedOf(empty, workspace);
  expect(inherited.report_interval_seconds).toEqual({ value: 5, from: "workspace" });
  expect(inherited.confirm_reads).toEqual({ value: 3, from: "workspace" });
  expect(inherited.leave_after_seconds).toEqual({ value: 45, from: "workspace" });
  const typed = inheritedOf({ ...empty, report_interval_seconds: 60 }, workspace);
  expect(typed.confirm_reads).toEqual({ value: 1, from: "interval" });
  expect(typed.leave_after_seconds).toEqual({ value: 180, from: "interval" });
  const short = inheritedOf({ ...empty, report_interval_seconds: 2 });
  expect(short.confirm_reads).toEqual({ value: 1, from: "interval" });
  expect(short.leave_after_seconds).toEqual({ value: 30, from: "default" });
});
