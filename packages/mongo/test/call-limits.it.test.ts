import { eventually, freshDatabase, testServers } from "@asset-register/harness";
import { createMetrics, runWithDeadline } from "@asset-register/runtime";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connectMongo, type Mongo, type TenantCollection } from "../src/index.ts";
import { listPage } from "../src/list-page.ts";
import { systemCollection } from "../src/system.ts";
import { silent, type Thing } from "./connect.ts";

const metrics = createMetrics({ service: "test" });
let db: Mongo;
let things: TenantCollection<Thing>;
let model: mongoose.Model<Thing>;

beforeAll(async () => {
  db = await connectMongo({
    url: testServers().mongoUrl,
    database: freshDatabase(),
    logger: silent,
    metrics,
  });
  things = db.collection<Thing>("things");
  const schema = new mongoose.Schema<Thing>({ _id: String, workspaceId: String, count: Number });
  model = db.model("things", schema, "things");
  await things.insertMany([
    ...Array.from({ length: 100 }, (_, n) => ({ _id: `large ${n}`, workspaceId: "large" })),
    { _id: "small", workspaceId: "small", count: 1 },
  ]);
});
afterAll(() => db.close());

/** A condition that takes the server this long for each document. */
const slow = (ms: number, result = true) => ({
  $expr: { $function: { body: `function() { sleep(${ms}); return ${result}; }`, args: [], lang: "js" } },
});
/** Scans of 10 s. */
const all = { workspaceId: "large", ...slow(100) };
const none = { workspaceId: "large", ...slow(100, false) };
const timedOut = { kind: "unavailable", code: "TIMED_OUT" };

/** Runs the work of a call that has this much time. */
const inCall = <T>(ms: number, work: () => T): T => runWithDeadline(Date.now() + ms, work);

const set = { $set: { count: 2 } };

/** Each kind of query, as a scan of 10 s. */
const queries: [string, () => Promise<unknown>][] = [
  ["findOne", () => things.findOne(none)],
  ["find", () => things.find(none).toArray()],
  ["a later batch", () => things.find(all, { batchSize: 2 }).toArray()],
  ["a stream", () => things.find(all, { batchSize: 2 }).stream().toArray()],
  ["countDocuments", () => things.countDocuments(none)],
  ["distinct", () => things.distinct("_id", none)],
  ["aggregate", () => things.aggregate([{ $match: none }]).toArray()],
  ["updateMany", () => things.updateMany(none, set)],
  ["deleteMany", () => things.deleteMany(none)],
  ["findOneAndUpdate", () => things.findOneAndUpdate(none, set)],
  ["bulkWrite", () => things.bulkWrite([{ updateMany: { filter: none, update: set } }])],
  ["a model", () => model.find(none).lean().exec()],
  ["a write of a model", () => model.updateMany(none, set).exec()],
  ["a system collection", () => systemCollection(db, "things").find(none).toArray()],
  ["a write of a system collection", () => systemCollection(db, "things").deleteMany(none)],
  ["a transaction", () => db.transaction({}, (session) => things.find(none, { session }).toArray())],
];

describe("the deadline of a call", () => {
  it.each(queries)("a slow query ends at the deadline with TIMED_OUT: %s", async (_name, query) => {
    const from = performance.now();
    await expect(inCall(300, query)).rejects.toMatchObject(timedOut);
    // The scan would take 10 s, or more on a busy machine.
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it.each(queries)("a query after the deadline is not sent: %s", async (_name, query) => {
    await expect(inCall(-1, async () => query())).rejects.toMatchObject(timedOut);
  });

  it("a query that reached its deadline does not continue in the server", async () => {
    await expect(inCall(300, () => things.find(none).toArray())).rejects.toMatchObject(timedOut);
    const client = await mongoose.mongo.MongoClient.connect(testServers().mongoUrl);
    onTestFinished(() => client.close());
    const running = [{ $currentOp: {} }, { $match: { ns: things.namespace } }];
    await eventually(async () => {
      expect(await client.db("admin").aggregate(running).toArray()).toEqual([]);
    });
  });

  it("work without a call has no limit", async () => {
    expect(await things.countDocuments({ workspaceId: "small", ...slow(400) })).toBe(1);
  });
});

describe("reads of many records", () => {
  it("250 lists of a large workspace at once leave the reads of another workspace fast", async () => {
    // Each of these reads takes longer than its call has. So none of them ends before those of the other workspace.
    const endless = { workspaceId: "large", ...slow(1_000) };
    const callMs = 15_000;
    const page = (workspaceId: string, filter: object) =>
      inCall(callMs, () => listPage(things, { workspaceId, limit: 50, filter }));
    const lists = Array.from({ length: 250 }, (_, n) => page("large", { ...endless, count: { $ne: n } }));
    const ended = Promise.allSettled(lists);
    const from = performance.now();
    expect(await page("small", { count: 1 })).toMatchObject({ total: 1 });
    expect(await inCall(callMs, () => things.findOne({ workspaceId: "small" }))).toMatchObject({ count: 1 });
    // Behind the others it would be the turn of these reads only when the calls of the others end.
    expect(performance.now() - from).toBeLessThan(10_000);
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/db_reads\{state="running".*\} 25\n/);
    // A list reads its rows first, and counts its total then.
    expect(text).toMatch(/db_reads\{state="waiting".*\} 225\n/);
    for (const list of await ended) {
      if (list.status === "rejected") expect(list.reason).toMatchObject(timedOut);
    }
    expect(await metrics.registry.metrics()).toMatch(/db_reads\{state="waiting".*\} 0\n/);
  });
});
