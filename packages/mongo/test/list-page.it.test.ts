import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPage, type Mongo, type TenantCollection } from "../src/index.ts";
import { connectFresh, type Thing } from "./connect.ts";

let db: Mongo;
let things: TenantCollection<Thing>;

const id = (n: number) => `thg_${String(n).padStart(3, "0")}`;
const thing = (n: number, workspace = "w1"): Thing => ({
  _id: id(n),
  workspaceId: workspace,
  name: n % 2 === 0 ? "even" : "odd",
});

beforeAll(async () => {
  db = await connectFresh();
  things = db.collection<Thing>("things");
  await things.insertMany(Array.from({ length: 25 }, (_, n) => thing(n * 2)));
  await things.insertMany(Array.from({ length: 7 }, (_, n) => thing(200 + n, "w2")));
});
afterAll(() => db.close());

const ids = (rows: Thing[]) => rows.map(({ _id }) => _id);

describe("listPage", () => {
  it("a page contains records of one workspace in order of id, with the exact total", async () => {
    const page = await listPage(things, { workspaceId: "w1", page: 3, limit: 10 });
    expect(page).toMatchObject({ page: 3, limit: 10, total: 25, nextCursor: undefined });
    expect(ids(page.items)).toEqual([40, 42, 44, 46, 48].map(id));
  });

  it("reading with cursors returns each record once, also if the last page is full", async () => {
    for (const limit of [1, 5, 10, 25, 26]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listPage(things, { workspaceId: "w1", limit, cursor });
        expect(page.total).toBe(25);
        seen.push(...ids(page.items));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => id(n * 2)));
    }
  });

  it("a cursor keeps its position when records are added before it", async () => {
    const own = db.collection<Thing>("growing");
    await own.insertMany([thing(2), thing(4), thing(6)]);
    const first = await listPage(own, { workspaceId: "w1", limit: 2 });
    await own.insertMany([thing(1), thing(3)]);
    const second = await listPage(own, { workspaceId: "w1", limit: 2, cursor: first.nextCursor });
    expect(ids(second.items)).toEqual([id(6)]);
    // The total of an unfiltered list is not cached.
    expect(second.total).toBe(5);
  });

  it("a filter on _id is combined with the cursor", async () => {
    const filter = { _id: { $lt: id(10) }, name: "even" };
    const first = await listPage(things, { workspaceId: "w1", filter, limit: 3 });
    const second = await listPage(things, { workspaceId: "w1", filter, limit: 3, cursor: first.nextCursor });
    expect(ids([...first.items, ...second.items])).toEqual([0, 2, 4, 6, 8].map(id));
    expect(second.total).toBe(5);
  });

  it("a filter or a cursor of another workspace never returns its records", async () => {
    const theirs = await listPage(things, { workspaceId: "w2", limit: 2 });
    const filter = { workspaceId: "w2" };
    expect(await listPage(things, { workspaceId: "w1", filter, limit: 50 })).toMatchObject({ total: 25 });
    const page = await listPage(things, { workspaceId: "w1", limit: 5, cursor: theirs.nextCursor });
    expect(page.items).toEqual([]);
  });

  it("the total of a filtered list is cached for countCacheMs, separately for each workspace", async () => {
    const own = db.collection<Thing>("counted");
    const query = { workspaceId: "w1", filter: { name: "odd" }, limit: 1 };
    expect(await listPage(own, query)).toMatchObject({ total: 0 });
    await own.insertOne(thing(1));
    expect(await listPage(own, query)).toMatchObject({ total: 0, items: [{ _id: id(1) }] });
    expect(await listPage(own, { ...query, countCacheMs: 0 })).toMatchObject({ total: 1 });
    expect(await listPage(own, { ...query, workspaceId: "w2" })).toMatchObject({ total: 0 });
  });

  it("a projection selects the fields", async () => {
    const page = await listPage(things, { workspaceId: "w1", limit: 1, projection: { name: 1 } });
    expect(page.items).toEqual([{ _id: id(0), name: "even" }]);
  });

  it("a malformed cursor is invalid on the field `cursor`", async () => {
    await expect(listPage(things, { workspaceId: "w1", limit: 5, cursor: "%%" })).rejects.toMatchObject({
      kind: "invalid",
      violations: [{ field: "cursor" }],
    });
  });
});
