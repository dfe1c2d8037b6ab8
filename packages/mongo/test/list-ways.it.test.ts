import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ensureIndexes,
  type ListPlan,
  type ListQuery,
  listPage,
  type Mongo,
  type TenantCollection,
} from "../src/index.ts";
import { connectFresh, type Thing } from "./connect.ts";

const COUNT = 2_500;

let db: Mongo;
let things: TenantCollection<Thing>;

const id = (n: number) => `thg_${String(n).padStart(4, "0")}`;
const EVEN = { name: "even" };

beforeAll(async () => {
  db = await connectFresh();
  things = db.collection<Thing>("ways");
  await ensureIndexes(db, "ways", [
    { name: "order", key: { workspaceId: 1, _id: 1 } },
    { name: "names", key: { workspaceId: 1, name: 1, _id: 1 } },
  ]);
  // The even ones are behind the odd ones.
  const nameOf = (n: number) => (n < COUNT / 2 ? "odd" : "even");
  await things.insertMany(
    Array.from({ length: COUNT }, (_, n) => ({ _id: id(n), workspaceId: "w1", name: nameOf(n) })),
  );
  await things.insertMany([{ _id: "foreign", workspaceId: "w2", name: "even" }]);
});
afterAll(() => db.close());

const read = (plan: Partial<ListPlan>, query: Partial<ListQuery<Thing>> = {}) =>
  listPage(things, {
    ...{ workspaceId: "w1", limit: 3, filter: EVEN, countCacheMs: 0, ...query },
    plan: async () => ({ ways: [{ hint: "names" }], total: { hint: "names" }, ...plan }),
  });
const idsOf = (page: { items: Thing[] }) => page.items.map(({ _id }) => _id);
const FIRST = [1250, 1251, 1252].map(id);

test("a way that looks at too few records leaves the page to the next one", async () => {
  const scan = (most: number) => ({ hint: "order", scan: { most, range: {} } });
  expect(idsOf(await read({ ways: [scan(1_252), { hint: "names" }] }))).toEqual(FIRST);
  expect(
    idsOf(await read({ ways: [scan(2_000), async () => Promise.reject(new Error("not needed"))] })),
  ).toEqual(FIRST);
  // Of three rows and the one that shows a next page, only three are among so many.
  const last = await read({ ways: [scan(1_253), async () => undefined, { hint: "names" }] });
  expect(last.nextCursor).toBeDefined();
  const second = await read({ ways: [scan(10), { hint: "names" }] }, { cursor: last.nextCursor });
  expect(idsOf(second)).toEqual([1253, 1254, 1255].map(id));
});

test("a scan after a cursor and of a later page begins where they begin", async () => {
  const scan: ListPlan["ways"] = [
    { hint: "order", scan: { most: 1_260, range: {} } },
    { filter: { name: "none" } },
  ];
  const first = await read({ ways: scan });
  expect(idsOf(await read({ ways: scan }, { cursor: first.nextCursor }))).toEqual([1253, 1254, 1255].map(id));
  expect(idsOf(await read({ ways: scan }, { page: 2 }))).toEqual([1253, 1254, 1255].map(id));
  expect(idsOf(await read({ ways: scan }, { page: 4 }))).toEqual([]);
});

test("ways that must be complete are an error if none is", async () => {
  await expect(read({ ways: [{ hint: "order", scan: { most: 5, range: {} } }] })).rejects.toThrow("no bound");
});

test("a page far behind has the rows of the list, and its next page follows", async () => {
  const far = await read({ ways: [{ hint: "order" }] }, { filter: {}, page: 700 });
  expect(idsOf(far)).toEqual([2097, 2098, 2099].map(id));
  expect(far.items[0]).toEqual({ _id: id(2097), workspaceId: "w1", name: "even" });
  const next = await read({}, { filter: {}, cursor: far.nextCursor });
  expect(idsOf(next)).toEqual([2100, 2101, 2102].map(id));
  expect(idsOf(await read({}, { filter: {}, page: 700, projection: { name: 1 } }))).toEqual(idsOf(far));
});

test("ids that are found first have the rows of the list in order", async () => {
  expect(idsOf(await read({ ways: [{ hint: "names", idsFirst: true }] }))).toEqual(FIRST);
  const last = await read({ ways: [{ hint: "names", idsFirst: true }] }, { sort: "-id" });
  expect(idsOf(last)).toEqual([2499, 2498, 2497].map(id));
});

test("a total of some records is not exact, and never below what the pages show", async () => {
  const total = { hint: "order", scan: { most: 1_300, range: {} } };
  expect(await read({ total })).toMatchObject({ total: 50, totalIsExact: false });
  expect(await read({ total: { hint: "order", scan: { most: 10, range: {} } } })).toMatchObject({ total: 4 });
  const page = await read({ total }, { page: 40 });
  expect(page).toMatchObject({ total: 121, totalIsExact: false });
});

test("a first page that is not full is the total, without a count", async () => {
  const total = { hint: "no such index" };
  const found = await read({ total }, { limit: 1_250 });
  expect(found).toMatchObject({ total: 1_250, nextCursor: undefined });
  expect(found.totalIsExact).toBeUndefined();
  expect(await read({ total }, { filter: { name: "none" } })).toMatchObject({ total: 0, items: [] });
  await expect(read({ total })).rejects.toThrow("hint");
});
