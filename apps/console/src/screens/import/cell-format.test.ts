import { describe, expect, test } from "vitest";
import { cellFor, formatsOf } from "./cell-format.ts";

test.each([
  ["1.234,50 €", "comma", "1234.50"],
  ["EUR 12,–", "comma", "12"],
  ["12,--", "comma", "12"],
  ["1 234,5", "comma", "1234.5"],
  ["-7,25", "comma", "-7.25"],
  ["0012", "comma", "12"],
  ["$1,234.50", "point", "1234.50"],
  ["1'234.50", "point", "1234.50"],
  // No group of three: it is not 15.
  ["1.5", "comma", "1.5"],
  ["1,5", "point", "1,5"],
  ["on request", "point", "on request"],
] as const)("the amount %s with a %s is %s", (cell, format, amount) =>
  expect(cellFor(cell, "decimal", format)).toBe(amount),
);

test.each([
  ["31.12.2025", "dmy", "2025-12-31"],
  ["1/2/2026", "mdy", "2026-01-02"],
  ["2026-02-01 00:00:00", "ymd", "2026-02-01"],
  ["31.02.2026", "dmy", "31.02.2026"],
  ["01.02.26", "dmy", "01.02.26"],
  ["soon", "dmy", "soon"],
] as const)("the day %s in the order %s is %s", (cell, format, day) =>
  expect(cellFor(cell, "date", format)).toBe(day),
);

test("yes and no in German", () => {
  expect(["Ja", "nein", "x", "true", "vielleicht"].map((one) => cellFor(one, "boolean", undefined))).toEqual([
    ...["true", "false", "true", "true", "vielleicht"],
  ]);
});

describe("the format of a column", () => {
  test("is the one that most of its cells have", () => {
    expect(formatsOf(["1.234,5", "7", "", "n/a"], "decimal")).toEqual(["comma"]);
    expect(formatsOf(["31.12.2025", "01.02.2025"], "date")).toEqual(["dmy"]);
    expect(formatsOf(["n/a", ""], "date")).toEqual([]);
  });

  test("is open if all cells fit several", () => {
    expect(formatsOf(["03/04/2026"], "date")).toEqual(["dmy", "mdy"]);
    expect(formatsOf(["7", "1.200"], "decimal")).toEqual(["comma", "point"]);
  });

  test("does not matter if all formats say the same", () => {
    expect(formatsOf(["7", "12"], "decimal")).toEqual(["comma"]);
    expect(formatsOf(["03/03/2026"], "date")).toEqual(["dmy"]);
  });
});
