import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FacetCount, toFacet, totalOf } from "./facets.ts";

describe("toFacet()", () => {
  it("the values are in order of count, then of id; those without a value are last among equals", () => {
    const counts = [
      { id: undefined, count: 2 },
      { id: "b", count: 2 },
      { id: "a", count: 2 },
      { id: "c", count: 9 },
      { id: "d", count: 1 },
    ];
    expect(toFacet(counts).values.map(({ id }) => id)).toEqual(["c", "a", "b", undefined, "d"]);
    expect(toFacet([]).values).toEqual([]);
  });

  it("for any counts: at most 50 values, none larger is left out, and with `other` they add up to all", () => {
    const counts = fc.uniqueArray(
      fc.record({ id: fc.option(fc.string(), { nil: undefined }), count: fc.integer({ min: 1, max: 9 }) }),
      { selector: ({ id }) => id, maxLength: 120 },
    );
    fc.assert(
      fc.property(counts, (given: FacetCount[]) => {
        const { values, other } = toFacet(given);
        expect(values).toHaveLength(Math.min(given.length, 50));
        expect(totalOf(values) + other).toBe(totalOf(given));
        const least = values.at(-1)?.count ?? 0;
        const left = given.filter((one) => !values.includes(one));
        expect(left.every(({ count }) => count <= least)).toBe(true);
      }),
    );
  });
});
