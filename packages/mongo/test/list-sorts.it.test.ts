import { newId } from "@asset-register/runtime";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureIndexes, listPage, type Mongo, type TenantCollection } from "../src/index.ts";
import { after, driverSort, placeOf, requireOrder } from "../src/list-order.ts";
import { connectFresh } from "./connect.ts";

type Row = { _id: string; workspaceId: string; name: string; count: number; at: Date };

const sorts = { name: "name", count: "count", at: "at" };
const fields = Object.keys(sorts) as (keyof typeof sorts)[];

let db: Mongo;
let rows: TenantCollection<Row>;
beforeAll(async () => {
  db = await connectFresh();
  rows = db.collection<Row>("rows");
  const ordered = fields.map((name) => ({ name, key: { workspaceId: 1, [name]: 1, _id: 1 } as const }));
  await ensureIndexes(db, "rows", ordered);
});
afterAll(() => db.close());

/** Few values, so that most rows have ties. */
const row = fc.record({
  name: fc.constantFrom("", "a", "b", "\u{1F528}"),
  count: fc.integer({ min: -1, max: 2 }),
  at: fc.integer({ min: 0, max: 3 }).map((time) => new Date(time)),
});
const sort = fc.constantFrom(...["id", ...fields].flatMap((name) => [name, `-${name}`]));

describe("sorted lists", () => {
  it("cursors lead to each row once and in order, while rows are inserted", async () => {
    const cases = fc.tuple(
      fc.array(row, { maxLength: 25 }),
      fc.array(row, { maxLength: 8 }),
      fc.integer({ min: 1, max: 7 }),
      sort,
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([known, added, limit, by]) => {
        const workspaceId = newId("wsp");
        const insert = async (values: (typeof known)[number], prefix: string) => {
          const _id = newId(prefix);
          await rows.insertOne({ _id, workspaceId, ...values });
          return _id;
        };
        const before: string[] = [];
        for (const values of known) before.push(await insert(values, "row"));

        const seen: Row[] = [];
        const late = [...added];
        let cursor: string | undefined;
        do {
          const page = await listPage(rows, { workspaceId, limit, sort: by, sorts, cursor });
          seen.push(...page.items);
          cursor = page.nextCursor;
          const next = late.pop();
          // Ids before and after those of the rows that the list had.
          if (next !== undefined) await insert(next, late.length % 2 === 0 ? "early" : "row");
        } while (cursor !== undefined);

        const ids = seen.map(({ _id }) => _id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => before.includes(id)).sort()).toEqual(before.sort());
        expect(ids).toEqual([...seen].sort(compareBy(by)).map(({ _id }) => _id));
      }),
      { numRuns: 40 },
    );
  });

  it("a page after a cursor is read in the order of the index, from the position of the cursor", async () => {
    const workspaceId = newId("wsp");
    const values = { workspaceId, name: "tie", count: 1, at: new Date(0) };
    await rows.insertMany(Array.from({ length: 1_000 }, () => ({ _id: newId("row"), ...values })));
    for (const by of fields.flatMap((name) => [name, `-${name}`])) {
      const halfway = await listPage(rows, { workspaceId, limit: 10, page: 50, sort: by, sorts });
      const order = requireOrder(by, sorts);
      const last = placeOf(order, halfway.items.at(-1)!);
      const found = rows.find({ workspaceId, $and: [{ workspaceId }, after(order, last)] });
      const explained: unknown = await found.sort(driverSort(order)).limit(11).explain("executionStats");
      const { executionStats } = explained as { executionStats: { totalKeysExamined: number } };
      expect(JSON.stringify(executionStats)).not.toContain('"SORT"');
      expect(executionStats.totalKeysExamined).toBeLessThan(20);
    }
  });

  it("an unknown sort is invalid on the field `sort`", async () => {
    await expect(listPage(rows, { workspaceId: "w1", limit: 1, sort: "at" })).rejects.toMatchObject({
      kind: "invalid",
      violations: [{ field: "sort" }],
    });
  });
});

/** MongoDB compares the bytes of texts. */
function compareBy(by: string): (one: Row, other: Row) => number {
  const name = by.replace("-", "") as "id" | keyof typeof sorts;
  const keys = (row: Row) => (name === "id" ? [row._id] : [row[name], row._id]);
  const direction = by.startsWith("-") ? -1 : 1;
  return (one, other) => {
    const others = keys(other);
    const differing = keys(one).findIndex((value, index) => compare(value, others[index]!) !== 0);
    return differing === -1 ? 0 : direction * compare(keys(one)[differing]!, others[differing]!);
  };
}

function compare(one: string | number | Date, other: string | number | Date): number {
  if (typeof one === "string") return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  return Number(one) - Number(other);
}
