import { expect, test } from "vitest";
import { joinProblems, withCell } from "./row-problems.ts";

const problem = (field?: string) => ({ field, code: "VALIDATION_FAILED", message: "is wrong" });
const fieldsOf = (cells: (string | undefined)[], stored: (string | undefined)[]) =>
  joinProblems(cells.map(problem), stored.map(problem)).map(({ field }) => field);

test("a row has the problems of its cells and those by what is stored, but no second one of a cell that was left out", () => {
  expect(fieldsOf(["cost", "name"], ["name", "location_id", undefined])).toEqual([
    "cost",
    "name",
    "location_id",
    undefined,
  ]);
});

test("while the category is unknown, nothing is said about custom fields by what is stored", () => {
  expect(fieldsOf(["category_id", "custom_fields.a"], ["custom_fields.b"])).toEqual([
    "category_id",
    "custom_fields.a",
  ]);
  expect(fieldsOf([], ["category_id", "custom_fields.b"])).toEqual(["category_id"]);
});

test("a row has at most a hundred problems", () => {
  expect(
    fieldsOf(
      Array.from({ length: 300 }, (_, index) => `custom_fields.f${index}`),
      [],
    ),
  ).toHaveLength(100);
});

test("a problem has the name of its column and the beginning of its cell", () => {
  const position = { columns: ["number", "", "cost"], names: ["No.", "Remark", "Price"] };
  const cells = ["A-1", "x", ` ${"9".repeat(59)}😀`];
  expect(withCell(problem("cost"), cells, position)).toMatchObject({
    column: "Price",
    value: `${"9".repeat(59)}\uFFFD`,
  });
  expect(withCell(problem("number"), [], position)).toMatchObject({ column: "No.", value: undefined });
  expect(withCell(problem("name"), cells, position)).toEqual(problem("name"));
  expect(withCell(problem(), cells, position)).toEqual(problem());
  // An import that the release before this one began has no names.
  expect(withCell(problem("number"), cells, { columns: ["number"] })).toMatchObject({ value: "A-1" });
});
