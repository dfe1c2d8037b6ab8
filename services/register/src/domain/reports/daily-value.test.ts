import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addToSums, lastOfMonths, totalFigures } from "./daily-value.ts";

describe("addToSums()", () => {
  it("for any parts in any steps: the sums of the categories add up to all parts", () => {
    const part = fc.record({
      categoryId: fc.constantFrom(undefined, "cat_1", "cat_2"),
      count: fc.nat(9),
      cost: fc.nat(999),
      nbv: fc.nat(999),
      movements: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(fc.array(part)), (steps) => {
        const sums = steps.reduce(addToSums, [] as ReturnType<typeof addToSums>);
        expect(new Set(sums.map(({ categoryId }) => categoryId)).size).toBe(sums.length);
        const { categoryId: _, ...all } = { categoryId: undefined, ...totalFigures(steps.flat()) };
        expect(totalFigures(sums)).toEqual(all);
      }),
    );
  });

  it("a category with movements only gets a row", () => {
    expect(addToSums([], [{ categoryId: "cat_1", movements: 2 }])).toEqual([
      { categoryId: "cat_1", count: 0, cost: 0, nbv: 0, movements: 2 },
    ]);
  });
});

it("a month is its last day that has a row", () => {
  const days = ["2026-01-30", "2026-01-31", "2026-03-02", "2026-03-09", "2027-03-01"].map((date) => ({
    date,
  }));
  expect(lastOfMonths(days).map(({ date }) => date)).toEqual(["2026-01-31", "2026-03-09", "2027-03-01"]);
  expect(lastOfMonths([])).toEqual([]);
});
