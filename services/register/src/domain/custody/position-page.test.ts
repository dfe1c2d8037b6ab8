import fc from "fast-check";
import { expect, test } from "vitest";
import { fitPage } from "./position-page.ts";

const rows = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([assetId, count]) => Array.from({ length: count }, () => ({ assetId })));

test("assets without rows and assets that fit are on the page", () => {
  expect(fitPage(["a", "b", "c"], [rows({ a: 2 }), rows({ b: 1 })], 3)).toEqual({ ids: ["a", "b", "c"] });
});

test("the first asset that does not fit is the next one", () => {
  expect(fitPage(["a", "b", "c"], [rows({ a: 2, b: 1 }), rows({ b: 1 })], 3)).toEqual({
    ids: ["a"],
    next: "b",
  });
});

test("an asset alone with too many rows leaves the page empty", () => {
  expect(fitPage(["a", "b"], [rows({ a: 4 })], 3)).toEqual({ ids: [], next: "a" });
});

test("any page has at most its rows, and pages together have each asset once with all its rows", () => {
  const lists = fc.array(fc.array(fc.nat({ max: 4 }), { minLength: 6, maxLength: 6 }), {
    minLength: 1,
    maxLength: 2,
  });
  fc.assert(
    fc.property(lists, fc.integer({ min: 4, max: 9 }), (counts, max) => {
      const all = ["a", "b", "c", "d", "e", "f"];
      const rowsFrom = (ids: string[]) =>
        counts.map((each) => rows(Object.fromEntries(ids.map((id) => [id, each[all.indexOf(id)]!]))));
      const size = (id: string) => counts.reduce((sum, each) => sum + each[all.indexOf(id)]!, 0);
      const seen: string[] = [];
      let left = all;
      while (left.length > 0) {
        const read = rowsFrom(left).map((list) => list.slice(0, max + 1));
        const page = fitPage(left, read, max);
        const ids = page.ids.length > 0 ? page.ids : left.slice(0, 1);
        if (page.ids.length > 0) expect(ids.reduce((sum, id) => sum + size(id), 0)).toBeLessThanOrEqual(max);
        else expect(size(ids[0]!)).toBeGreaterThan(max);
        seen.push(...ids);
        left = left.slice(ids.length);
      }
      expect(seen).toEqual(all);
    }),
  );
});
