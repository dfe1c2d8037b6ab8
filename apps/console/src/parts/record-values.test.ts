import { expect, test } from "vitest";
import { changesOf, type Field, valuesOf } from "./record-values.ts";

const fields: Field[] = [
  { name: "name", label: "Name" },
  { name: "email", label: "E-mail", input: "email" },
  { name: "department_id", label: "Department", input: "department" },
];
const ada = { id: "cus_1", rev: 3, name: "Ada", email: "ada@example.com", department_id: "dep_1" };

test("only changed fields are sent; an emptied field is null", () => {
  const before = valuesOf(fields, ada);
  expect(changesOf({ ...before, email: "", department_id: null }, before)).toEqual({
    email: null,
    department_id: null,
  });
});

test("a dialog that was not touched changes nothing", () => {
  const before = valuesOf(fields, ada);
  expect(changesOf(before, before)).toEqual({});
});

test("a field without a value is an empty text, a choice without a value is null", () =>
  expect(valuesOf(fields)).toEqual({ name: "", email: "", department_id: null }));
