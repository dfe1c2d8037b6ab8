import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsOf } from "./columns.ts";

const none = new Map<string, string>();
const keys = new Set(["colour"]);

test("a column has the field of its name, in any case", () => {
  expect(columnsOf(["Name", "NUMBER", "custom_fields.colour"], none, keys)).toEqual({
    columns: ["name", "number", "custom_fields.colour"],
    problems: [],
  });
});

test("a mapping decides the field of a column, or leaves it out", () => {
  const mapping = new Map([
    ["Bezeichnung", "name"],
    ["Notes", ""],
  ]);
  expect(columnsOf(["Bezeichnung", "Notes"], mapping, keys)).toEqual({ columns: ["name", ""], problems: [] });
});

test("the columns of our export that nobody may write are left out", () => {
  const header = ["id", "number", "name", "category", "category_id", "status", "status_id", "nbv", "tags"];
  expect(columnsOf(header, none, keys)).toEqual({
    columns: ["", "number", "name", "", "category_id", "", "", "", ""],
    problems: [],
  });
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
