import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";

const none = new Map<string, string>();
const keys = new Set(["colour"]);

test("a column has the field of its name, in any case", () => {
  expect(columnsOf(["Name", "NUMBER", "custom_fields.colour"], none, keys)).toEqual({
    columns: ["name", "number", "custom_fields.colour"],
    ignored: [],
    problems: [],
  });
});

test("a mapping decides the field of a column, or leaves it out", () => {
  const mapping = new Map([
    ["Bezeichnung", "name"],
    ["Notes", ""],
  ]);
  expect(columnsOf(["Bezeichnung", "Notes"], mapping, keys)).toEqual({
    columns: ["name", ""],
    ignored: [{ column: "Notes", reason: "The mapping leaves it out." }],
    problems: [],
  });
});

test("columns whose cells have no effect are left out and named with the reason", () => {
  const header = [
    "id",
    "number",
    "name",
    "category",
    "category_id",
    "Status",
    "status_id",
    "nbv",
    "tags",
    "",
  ];
  expect(columnsOf(header, none, keys)).toEqual({
    columns: ["", "number", "name", "", "category_id", "", "", "", "", ""],
    ignored: [
      { column: "id", reason: "A row is found by its number." },
      { column: "category", reason: 'The column "category_id" decides.' },
      { column: "Status", reason: "Only the status operation and disposal change the status." },
      { column: "status_id", reason: "Only the status operation and disposal change the status." },
      { column: "nbv", reason: "Posted depreciation decides it." },
      { column: "tags", reason: "Only the operations of tags bind and free them." },
      { column: "", reason: "It has no name." },
    ],
    problems: [],
  });
});

test("every unknown column is named", () => {
  const header = Array.from({ length: 14 }, (_, index) => `unknown ${index}`);
  expect(columnsOf(["name", ...header], none, keys).problems).toEqual(
    header.map((name) => `The column "${name}" is unknown.`),
  );
});

test.each([
  [["name", "shade"], none, 'The column "shade" is unknown.'],
  [["name", "category"], none, 'The column "category" is unknown.'],
  [["name", "custom_fields.size"], none, 'The column "custom_fields.size" is unknown.'],
  [["name", "Name"], none, 'Two columns have the field "name".'],
  [["name"], new Map([["Label", "number"]]), 'The mapping names a column that is missing: "Label".'],
  [["name", "x"], new Map([["x", "rev"]]), 'The column "x" is unknown.'],
  [["id"], none, "The file has no columns."],
  [Array.from({ length: 301 }, () => "name"), none, "The file has more than 300 columns."],
])("the header %j is refused: %3$s", (header, mapping, problem) => {
  expect(columnsOf(header, mapping, keys).problems).toContain(problem);
});

test("any header is read or refused, also with names of JavaScript's own", () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom("__proto__", "constructor", "name", "custom_fields.toString"),
  );
  fc.assert(
    fc.property(fc.array(name, { maxLength: 10 }), fc.array(fc.tuple(name, name)), (header, mapping) => {
      const { columns, problems } = columnsOf(header, new Map(mapping), keys);
      const known = columns.every(
        (field) => ["", "name"].includes(field) || field.startsWith("custom_fields."),
      );
      return problems.length > 0 || (columns.length === header.length && known) || mapping.length > 0;
    }),
  );
});
