import fc from "fast-check";
import { expect, test } from "vitest";
import { assetColumns } from "./columns.ts";
import { type RowRules, readRow } from "./row-input.ts";

const options = [
  { value: "red", label: "Red", active: true },
  { value: "a,b", label: "A or B", active: true },
];
const rules: RowRules = {
  currencyDigits: 2,
  customFields: new Map([
    ["weight", { type: "number", options: [] }],
    ["leased", { type: "boolean", options: [] }],
    ["colours", { type: "multiselect", options }],
  ]),
};

const read = (columns: string[], ...cells: string[]) => readRow(cells, columns, rules);
const problemOf = (column: string, cell: string) => read([column], cell).problems[0]?.message;

test("cells become the values of their fields", () => {
  const columns = [
    "number",
    "name",
    "cost",
    "useful_life_months",
    "in_service_date",
    "location_id",
    "",
    "model",
  ];
  const row = read(columns, "A-1", " Drill ", "1249.90", "36", "2026-01-31", "Berlin", "left out", "");
  expect(row).toEqual({
    input: {
      number: "A-1",
      values: { name: "Drill", cost: 124_990, useful_life_months: 36, in_service_date: "2026-01-31" },
      references: { location_id: "Berlin" },
      customFields: {},
    },
    problems: [],
  });
});

test("custom fields get values of their types", () => {
  const columns = ["custom_fields.weight", "custom_fields.leased", "custom_fields.colours"];
  expect(read(columns, "-1.5", "Yes", "red; a,b").input.customFields).toEqual({
    weight: -1.5,
    leased: true,
    colours: ["red", "a,b"],
  });
  expect(read(columns, "heavy", "maybe", "a,b").input.customFields).toEqual({
    weight: "heavy",
    leased: "maybe",
    colours: ["a,b"],
  });
});

test.each([
  ["cost", "1.234,50"],
  ["cost", "€ 12"],
  ["cost", "1.234"],
  ["cost", "-1"],
  ["cost", "=1+1"],
  ["useful_life_months", "0"],
  ["useful_life_months", "12.5"],
  ["in_service_date", "31.01.2026"],
  ["in_service_date", "2026-02-30"],
  ["depreciation_method", "magic"],
  ["number", "x".repeat(51)],
  ["name", "caf\uFFFD"],
])("%s %j is refused with a reason", (column, cell) => {
  expect(problemOf(column, cell)).toEqual(expect.any(String));
});

test("the apostrophe that an export puts before a formula is removed, another one stays", () => {
  expect(read(["name"], "'=SUM(A1)").input.values.name).toBe("=SUM(A1)");
  expect(read(["name"], "=SUM(A1)").input.values.name).toBe("=SUM(A1)");
  expect(read(["name"], "'s-Hertogenbosch").input.values.name).toBe("'s-Hertogenbosch");
});

test("a row with fewer or more cells than the header is refused; empty ones at the end are not", () => {
  expect(read(["name", "model"], "Drill").problems).toHaveLength(1);
  expect(read(["name"], "Drill", "x").problems).toHaveLength(1);
  expect(read(["name"], "Drill", "", " ").problems).toEqual([]);
});

test("no cell throws, and each is a value or a problem of its field", () => {
  const column = fc.constantFrom(...assetColumns.keys(), "custom_fields.weight", "custom_fields.colours");
  const cell = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: "grapheme" }),
    fc.double().map(String),
  );
  fc.assert(
    fc.property(column, cell, (field, text) => {
      const { input, problems } = read([field], text);
      const values = [input.values, input.references, input.customFields].map(
        (part) => Object.keys(part).length,
      );
      const count = values.reduce((sum, one) => sum + one, 0) + (input.number === undefined ? 0 : 1);
      return count + problems.length <= 1 && problems.every((problem) => problem.field === field);
    }),
  );
});
