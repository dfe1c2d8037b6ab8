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

  it("a filter of another workspace never returns its records", async () => {
    const filter = { workspaceId: "w2" };
    expect(await listPage(things, { workspaceId: "w1", filter, limit: 50 })).toMatchObject({ total: 25 });
  });

  it("a cursor of another workspace, filter, list or sort is invalid on the field `cursor`", async () => {
    const [filter, others] = [{ name: "even" }, db.collection<Thing>("others")];
    const { nextCursor: cursor } = await listPage(things, { workspaceId: "w1", filter, limit: 2 });
    const here = { workspaceId: "w1", filter, limit: 2, cursor };
    const wrong = [
      listPage(things, { ...here, workspaceId: "w2" }),
      listPage(things, { ...here, filter: { name: "odd" } }),
      listPage(things, { ...here, filter: undefined }),
      listPage(things, { ...here, sort: "-id" }),
      listPage(others, here),
    ];
    for (const page of wrong) {
      await expect(page).rejects.toMatchObject({ kind: "invalid", violations: [{ field: "cursor" }] });
    }
    expect(ids((await listPage(things, { ...here, sort: "id" })).items)).toEqual([4, 6].map(id));
  });

  it("a cursor of a filter that depends on the time is bound to what does not", async () => {
    const at = (time: number) => ({ filter: { _id: { $lt: id(time) } }, boundTo: { overdue: true } });
    const first = await listPage(things, { workspaceId: "w1", limit: 2, ...at(100) });
    const cursor = first.nextCursor;
    const second = await listPage(things, { workspaceId: "w1", limit: 2, cursor, ...at(101) });
    expect(ids(second.items)).toEqual([4, 6].map(id));
  });

  it("pages of cursors are numbered from the page that the first cursor followed", async () => {
    const third = await listPage(things, { workspaceId: "w1", limit: 5, page: 3 });
    const fourth = await listPage(things, { workspaceId: "w1", limit: 5, cursor: third.nextCursor });
    expect(fourth).toMatchObject({ page: 4, limit: 5 });
    expect(ids(fourth.items)).toEqual([30, 32, 34, 36, 38].map(id));
  });

  it("the time of the first page's read is that of all pages that its cursors lead to", async () => {
    const query = (readAt: number) => ({ workspaceId: "w1", limit: 10, readAt: new Date(readAt) });
    const first = await listPage(things, query(1));
    const second = await listPage(things, { ...query(2), cursor: first.nextCursor });
    const third = await listPage(things, { ...query(3), cursor: second.nextCursor });
    expect([first, second, third].map(({ readAt }) => readAt?.getTime())).toEqual([1, 1, 1]);
    expect((await listPage(things, { ...query(4), page: 2 })).readAt).toBeUndefined();
  });

  it("a page that skips more than 100,000 records is invalid on the field `page`", async () => {
    const page = (page: number) => listPage(things, { workspaceId: "w1", limit: 1000, page });
    expect(await page(101)).toMatchObject({ items: [], total: 25 });
    await expect(page(102)).rejects.toMatchObject({
      kind: "invalid",
      violations: [{ field: "page", message: expect.stringContaining("cursor") }],
    });
  });

  it("a count stops at 100,000", async () => {
    const many = db.collection<Thing>("many");
    const add = (from: number, to: number) =>
      many.insertMany(
        Array.from({ length: to - from }, (_, n) => ({ _id: `m${from + n}`, workspaceId: "w1" })),
      );
    await add(0, 100_000);
    const exact = await listPage(many, { workspaceId: "w1", limit: 1 });
    expect(exact).toMatchObject({ total: 100_000 });
    expect(exact).not.toHaveProperty("totalIsExact");
    await add(100_000, 100_010);
    expect(await listPage(many, { workspaceId: "w1", limit: 1 })).toMatchObject({
      total: 100_000,
      totalIsExact: false,
    });
  });

  it("the total of a filtered list is cached for countCacheMs, separately for each workspace", async () => {
    const own = db.collection<Thing>("counted");
    const query = { workspaceId: "w1", filter: { name: "odd" }, limit: 1, countCacheMs: 600_000 };
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
