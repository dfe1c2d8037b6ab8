import { newId } from "@asset-register/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineRecords, ensureRecordIndexes, type Mongo, type RecordStore } from "../src/index.ts";
import { connectFresh } from "./connect.ts";

type Tool = { id: string; workspaceId: string; name: string; deletedAt?: Date | undefined; rev: number };
type Keys = { deleted: boolean };

const tools = defineRecords<Tool, Keys>({
  collection: "tools",
  name: "tool",
  fields: { name: String, deletedAt: Date, rev: Number },
  beside: { deleted: Boolean },
  derive: ({ deletedAt }) => ({ deleted: deletedAt !== undefined }),
  counted: { deleted: false },
  indexes: [{ name: "list", key: { workspaceId: 1, deleted: 1, _id: 1 } }],
});
const marks = defineRecords<{ id: string; workspaceId: string }>({
  ...{ collection: "marks", name: "mark", fields: {}, counted: {} },
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

let db: Mongo;
let store: RecordStore<Tool, Keys>;
beforeAll(async () => {
  db = await connectFresh();
  await ensureRecordIndexes(db, tools, marks);
  store = tools.store(db);
});
afterAll(() => db.close());

const tool = (workspaceId: string): Tool => ({ id: newId("tol"), workspaceId, name: "Saw", rev: 1 });
const insert = (record: Tool) =>
  db.transaction({}, (session) => store.insert(record.workspaceId, record, session));
const remove = (record: Tool) =>
  db.transaction({}, (session) =>
    store.save(
      record.workspaceId,
      { ...record, deletedAt: new Date(), rev: record.rev + 1 },
      record.rev,
      session,
    ),
  );
const total = async (workspaceId: string, filter = {}) =>
  (await store.list(workspaceId, { page: 1, limit: 1 }, { filter: { deleted: false, ...filter } })).total;
const real = (workspaceId: string) => store.collection.countDocuments({ workspaceId, deleted: false });
const shards = (workspaceId: string) => db.collection("record_counts").countDocuments({ workspaceId });

test("concurrent creations and deletions leave the total equal to the real number", async () => {
  const workspaceId = newId("wsp");
  const first = Array.from({ length: 40 }, () => tool(workspaceId));
  await Promise.all(first.map(insert));
  expect(await total(workspaceId)).toBe(40);
  const doomed = first.slice(0, 15);
  await Promise.allSettled([
    ...doomed.map(remove),
    ...Array.from({ length: 20 }, () => insert(tool(workspaceId))),
    // Of two deletions of one revision one fails, and is not counted.
    ...doomed.slice(0, 5).map(remove),
  ]);
  expect([await real(workspaceId), await total(workspaceId)]).toEqual([45, 45]);
});

test("of two deletions of one record at once only one is counted", async () => {
  const workspaceId = newId("wsp");
  const [one, other] = [tool(workspaceId), tool(workspaceId)];
  await Promise.all([insert(one), insert(other)]);
  const outcomes = await Promise.allSettled([remove(one), remove(one)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await total(workspaceId)).toBe(1);
});

test("a transaction that aborts counts nothing, neither records nor deletions", async () => {
  const workspaceId = newId("wsp");
  const kept = tool(workspaceId);
  await insert(kept);
  const aborted = db.transaction({}, async (session) => {
    await store.insertMany(workspaceId, [tool(workspaceId), tool(workspaceId)], session);
    await store.save(workspaceId, { ...kept, deletedAt: new Date(), rev: 2 }, 1, session);
    throw new Error("aborted");
  });
  await expect(aborted).rejects.toThrow("aborted");
  expect([await total(workspaceId), await real(workspaceId)]).toEqual([1, 1]);
});

test("a save counts a record that comes back, and a save that changes nothing counts nothing", async () => {
  const workspaceId = newId("wsp");
  const record = tool(workspaceId);
  await insert(record);
  await remove(record);
  expect(await total(workspaceId)).toBe(0);
  await db.transaction({}, (session) => store.save(workspaceId, { ...record, rev: 3 }, 2, session));
  await store.save(workspaceId, { ...record, name: "Plane", rev: 4 }, 3);
  expect(await total(workspaceId)).toBe(1);
});

test("records that are saved together change the total by those that begin or cease to count", async () => {
  const workspaceId = newId("wsp");
  const records = Array.from({ length: 6 }, () => tool(workspaceId));
  await Promise.all(records.map(insert));
  const saveAll = (changes: { before: Tool; after: Tool }[]) =>
    db.transaction({}, (session) => store.saveMany(workspaceId, changes, session));
  const deleted = records.map((before, index) => {
    const after = { ...before, rev: 2, ...(index < 4 && { deletedAt: new Date() }) };
    return { before, after };
  });
  await saveAll(deleted);
  expect(await total(workspaceId)).toBe(2);
  await saveAll(
    deleted.map(({ after: before }) => ({ before, after: { ...before, deletedAt: undefined, rev: 3 } })),
  );
  expect(await total(workspaceId)).toBe(6);
  expect(await real(workspaceId)).toBe(6);
});

test("many records at once change one counter row; a deleted one is not counted", async () => {
  const workspaceId = newId("wsp");
  const records = Array.from({ length: 1_000 }, () => tool(workspaceId));
  const [deleted = tool(workspaceId)] = records;
  records[0] = { ...deleted, deletedAt: new Date() };
  await db.transaction({}, (session) => store.insertMany(workspaceId, records, session));
  expect(await total(workspaceId)).toBe(999);
  expect(await shards(workspaceId)).toBe(1);
  expect(await total(newId("wsp"))).toBe(0);
});

test("two transactions that both insert many records of a workspace do not conflict", async () => {
  const workspaceId = newId("wsp");
  const [one, other] = [1, 2].map(() => Array.from({ length: 200 }, () => tool(workspaceId)));
  let attempts = 0;
  const both = { inserted: 0, release: Promise.withResolvers<void>() };
  await Promise.all(
    [one, other].map((records = []) =>
      db.transaction({}, async (session) => {
        attempts += 1;
        await store.insertMany(workspaceId, records, session);
        both.inserted += 1;
        if (both.inserted === 2) both.release.resolve();
        await both.release.promise;
      }),
    ),
  );
  expect([attempts, await total(workspaceId)]).toEqual([2, 400]);
});

test("only the whole list has the total of the counter rows", async () => {
  const workspaceId = newId("wsp");
  await insert(tool(workspaceId));
  await db.collection("record_counts").updateMany({ workspaceId }, { $set: { n: 7 } });
  expect(await total(workspaceId)).toBe(7);
  expect(await total(workspaceId, { name: "Saw" })).toBe(1);
  expect((await store.list(workspaceId, { page: 1, limit: 1 })).total).toBe(1);
});

test("a write that changes the number of counted records needs a transaction", async () => {
  const workspaceId = newId("wsp");
  const record = tool(workspaceId);
  await expect(store.insert(workspaceId, record)).rejects.toThrow("needs a transaction");
  expect(await real(workspaceId)).toBe(0);
  await insert(record);
  const deleted = { ...record, deletedAt: new Date(), rev: 2 };
  await expect(store.save(workspaceId, deleted, 1)).rejects.toThrow("needs a transaction");
});

test("records that a store inserts with its own bulk write are counted too", async () => {
  const workspaceId = newId("wsp");
  const own = marks.store(db);
  const upsert = { filter: { workspaceId, _id: "mrk_1" }, update: { $set: { seen: 1 } }, upsert: true };
  for (const expected of [1, 1]) {
    await db.transaction({}, async (session) => {
      const { upsertedIds } = await own.collection.bulkWrite([{ updateOne: upsert }], { session });
      await own.countInserted(workspaceId, Object.values(upsertedIds), session);
    });
    expect((await own.list(workspaceId, { page: 1, limit: 1 })).total).toBe(expected);
  }
});
