import { describe, expect, test } from "vitest";
import type { BookedKind, BookedSum } from "../ledger/booked-value.ts";
import { differenceOf, reportMonths, reportRows } from "./depreciation-report.ts";

describe("the months of a report", () => {
  const setting = { month: "2027-03", fiscalYearStart: 7 };

  test.each([
    ["the fiscal year so far", {}, { from: "2026-07", to: "2027-03" }],
    ["from a month to the present one", { from: "2027-01" }, { from: "2027-01", to: "2027-03" }],
    ["one future month", { from: "2027-08" }, { from: "2027-08", to: "2027-08" }],
    ["the fiscal year of the last month", { to: "2026-06" }, { from: "2025-07", to: "2026-06" }],
    ["both as given", { from: "2026-01", to: "2026-02" }, { from: "2026-01", to: "2026-02" }],
    ["a single month", { from: "2026-01", to: "2026-01" }, { from: "2026-01", to: "2026-01" }],
  ])("%s", (_case, given, expected) => {
    expect(reportMonths(given, setting)).toEqual(expected);
  });

  test("are refused if they end before they begin", () => {
    expect(() => reportMonths({ from: "2026-02", to: "2026-01" }, setting)).toThrow(
      expect.objectContaining({
        ...{ code: "VALIDATION_FAILED", violations: [{ field: "to", message: "must not be before from" }] },
      }),
    );
  });
});

describe("the rows of a report", () => {
  const sum = (kind: BookedKind, amount: number, isBefore = false, categoryId?: string): BookedSum => ({
    ...{ kind, amount, isBefore, categoryId },
  });
  const none = { charged: 0, impaired: 0, reversed: 0, disposed: 0 };

  test("each kind of figure has its column; the NBV is the sum of additions less the sum of charges and disposals", () => {
    const booked = [
      ...[sum("value", 1_000), sum("charge", 100), sum("disposal", 10), sum("impairment", 50)],
      ...[sum("reversal", -20), sum("taken_out", 300)],
    ];
    expect(reportRows(booked)).toEqual([
      { categoryId: undefined, charged: 110, impaired: 50, reversed: 20, disposed: 300, nbv: 560 },
    ]);
  });

  test("months before the report count for the NBV only", () => {
    expect(reportRows([sum("value", 1_000, true), sum("charge", 100, true), sum("charge", 30)])).toEqual([
      { categoryId: undefined, ...none, charged: 30, nbv: 870 },
    ]);
  });

  test("categories have rows of their own, and a row without any figure is left out", () => {
    const booked = [
      ...[sum("value", 500, true, "cat_1"), sum("value", 70, false, "cat_2")],
      ...[sum("value", 40, true, "cat_3"), sum("taken_out", 40, true, "cat_3")],
      ...[sum("value", 60, true, "cat_4"), sum("charge", 60, false, "cat_4")],
    ];
    expect(reportRows(booked)).toEqual([
      { categoryId: "cat_1", ...none, nbv: 500 },
      { categoryId: "cat_2", ...none, nbv: 70 },
      { categoryId: "cat_4", ...none, charged: 60, nbv: 0 },
    ]);
  });

  test("the difference of two books is by category, also of those that only one of them has", () => {
    const row = (categoryId: string | undefined, nbv: number) => ({ categoryId, ...none, nbv });
    const book = [row("cat_1", 500), row(undefined, 80)];
    expect(differenceOf(book, [row("cat_1", 300), row("cat_2", 40)])).toEqual([
      { categoryId: "cat_1", amount: 200 },
      { categoryId: undefined, amount: 80 },
      { categoryId: "cat_2", amount: -40 },
    ]);
  });
});
