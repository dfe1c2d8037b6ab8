import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pageOfRows, type RowPlace } from "./row-page.ts";

const isLess = (one: RowPlace, other: RowPlace) =>
  one.value < other.value || (one.value === other.value && one.id < other.id);
const rows = fc
  .uniqueArray(
    fc.record({
      value: fc.constantFrom("a", "b", "c", "é", ""),
      id: fc.string({ unit: fc.constantFrom("0", "1", "a") }),
    }),
    {
      selector: ({ id }) => id,
    },
  )
  .map((all) => all.filter(({ id }) => id !== "").sort((one, other) => (isLess(one, other) ? -1 : 1)));

type Row = { value: string; id: string } | "last";
const placeOf = (row: Row) => (row === "last" ? undefined : row);
const pageOf = (
  all: Row[],
  page: { limit: number; page?: number; cursor?: string | undefined },
  list = "rows",
) => pageOfRows(all, { list, workspaceId: "wsp_1", filter: {}, placeOf, page: { page: 1, ...page } });

describe("pageOfRows()", () => {
  test("cursors and page numbers lead through all rows in their order, the one without a place last", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 4 }), fc.boolean(), (places, limit, hasLast) => {
        const all: Row[] = hasLast ? [...places, "last"] : places;
        const read: Row[] = [];
        let cursor: string | undefined;
        let number = 0;
        do {
          const found = pageOf(all, { limit, cursor });
          number += 1;
          expect(found).toMatchObject({ page: number, limit, total: all.length });
          expect(pageOf(all, { limit, page: number }).items).toEqual(found.items);
          read.push(...found.items);
          cursor = found.nextCursor;
        } while (cursor !== undefined);
        expect(read).toEqual(all);
        expect(pageOf(all, { limit, page: number + 1 }).items).toEqual([]);
      }),
    );
  });

  test("a row that is added before a cursor does not shift the next page", () => {
    const [a, b, c] = ["a", "b", "c"].map((value) => ({ value, id: "1" })) as [RowPlace, RowPlace, RowPlace];
    const { nextCursor } = pageOf([b, c], { limit: 1 });
    expect(pageOf([a, b, c], { limit: 1, cursor: nextCursor }).items).toEqual([c]);
  });

  test("a cursor of another list, or none at all, is invalid", () => {
    const all: Row[] = ["a", "b"].map((value) => ({ value, id: "1" }));
    const { nextCursor } = pageOf(all, { limit: 1 }, "others");
    for (const cursor of [nextCursor, "x"])
      expect(() => pageOf(all, { limit: 1, cursor })).toThrow(
        expect.objectContaining({ violations: [expect.objectContaining({ field: "cursor" })] }),
      );
  });
});
