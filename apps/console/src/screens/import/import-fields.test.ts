import { expect, test } from "vitest";
import { guessFields, targetsOf } from "./import-fields.ts";

const targets = targetsOf([{ key: "voltage", label: "Spannung", type: "number" }], (field) => field);

test("columns get their fields by English and German names, however they are written", () => {
  const names = [
    "Inventar-Nr.",
    "BEZEICHNUNG",
    "serial no",
    "Standort",
    "Kaufpreis",
    "Spannung",
    "cost_center",
  ];
  expect(guessFields(names, targets, {})).toEqual([
    ...["number", "name", "serial_number", "location_id", "cost", "custom_fields.voltage"],
    null,
  ]);
});

test("a field has one column, and what was chosen before comes first", () => {
  expect(guessFields(["Name", "Bezeichnung"], targets, {})).toEqual(["name", null]);
  const before = { Name: null, Bezeichnung: "name", Farbe: "custom_fields.gone" };
  expect(guessFields(["Name", "Bezeichnung", "Farbe"], targets, before)).toEqual([null, "name", null]);
});
