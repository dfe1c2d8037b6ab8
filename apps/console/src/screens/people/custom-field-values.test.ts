import { expect, test } from "vitest";
import type { Schemas } from "../../api/client.ts";
import { fieldBodyOf, fieldValuesOf } from "./custom-field-values.ts";

const ZONE = "Europe/Berlin";

const field: Schemas["CustomField"] = {
  ...{ id: "cfd_1", key: "system", label: "System", type: "select", required: true, unique: false },
  options: [
    { value: "linux", label: "Linux", active: true },
    { value: "dos", label: null, active: false },
  ],
  ...{ min: null, max: null, pattern: null, category_ids: ["cat_1"], position: 1, status: "active" },
  ...{ progress: null, error: null, rev: 1, created_at: null, updated_at: null },
};

test("lines are options; an empty or repeated line is none", () => {
  const values = { ...fieldValuesOf(undefined, ZONE), key: "size", label: "Size", type: "select" as const };
  expect(fieldBodyOf({ ...values, options: "S\n\n M \nS" }, undefined, ZONE)).toMatchObject({
    key: "size",
    options: [{ value: "S" }, { value: "M" }],
  });
});

test("an option whose line was removed becomes inactive, one whose line was added becomes active", () => {
  const values = { ...fieldValuesOf(field, ZONE), options: "dos\nbsd" };
  expect(fieldBodyOf(values, field, ZONE).options).toEqual([
    { value: "linux", label: "Linux", active: false },
    { value: "dos", active: true },
    { value: "bsd" },
  ]);
});

test("a type without options or unique values sends neither", () => {
  const values = { ...fieldValuesOf(undefined, ZONE), type: "boolean" as const, unique: true, options: "a" };
  expect(fieldBodyOf(values, undefined, ZONE)).toMatchObject({ unique: false, options: [] });
});

test("bounds are of the type: an instant in the time zone of the workspace, none for a choice", () => {
  const at = { ...field, type: "datetime" as const, min: "2026-01-31T09:30:00.000Z" };
  const values = fieldValuesOf(at, ZONE);
  expect(values).toMatchObject({ min: "2026-01-31T10:30", max: "" });
  expect(fieldBodyOf(values, at, ZONE)).toMatchObject({ min: at.min, max: null });
  const choice = { ...values, type: "select" as const, min: 2, max: 3, pattern: "x" };
  expect(fieldBodyOf(choice, field, ZONE)).toMatchObject({ min: null, max: null, pattern: null });
  const text = { ...values, type: "text" as const, min: 2, max: 3, pattern: "x+" };
  expect(fieldBodyOf(text, undefined, ZONE)).toMatchObject({ min: 2, max: 3, pattern: "x+" });
});
