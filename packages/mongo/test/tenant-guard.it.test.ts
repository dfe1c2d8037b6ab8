import type { mongo } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ClientSession, Mongo, TenantCollection } from "../src/index.ts";
import { connectFresh, type Thing } from "./connect.ts";
import { allThings, refused, resetThings } from "./guarded-things.ts";

let db: Mongo;
let things: TenantCollection<Thing>;

beforeAll(async () => {
  db = await connectFresh();
  things = db.collection<Thing>("things");
});
afterAll(() => db.close());

beforeEach(() => resetThings(db));

const everything = () => allThings(db);

describe("a native collection", () => {
  const set = { $set: { name: "x" } };
  const calls: [string, (filter: mongo.Filter<Thing>) => unknown][] = [
    ["find", (f) => things.find(f).toArray()],
    ["findOne", (f) => things.findOne(f)],
    ["findOneAndUpdate", (f) => things.findOneAndUpdate(f, set)],
    ["findOneAndReplace", (f) => things.findOneAndReplace(f, { workspaceId: "w1" })],
    ["findOneAndDelete", (f) => things.findOneAndDelete(f)],
    ["updateOne", (f) => things.updateOne(f, set)],
    ["updateMany", (f) => things.updateMany(f, set)],
    ["replaceOne", (f) => things.replaceOne(f, { workspaceId: "w1" })],
    ["deleteOne", (f) => things.deleteOne(f)],
    ["deleteMany", (f) => things.deleteMany(f)],
    ["countDocuments", (f) => things.countDocuments(f)],
    ["distinct", (f) => things.distinct("name", f)],
    ["aggregate", (f) => things.aggregate([{ $match: f }]).toArray()],
    ["bulkWrite", (f) => things.bulkWrite([{ updateOne: { filter: f, update: set } }])],
  ];

  it.each(calls)(
    "%s is refused without workspaceId, with an operator on it, and with a nested one",
    async (_name, run) => {
      await refused(() => run({}));
      await refused(() => run({ _id: "2" }));
      await refused(() => run({ workspaceId: { $in: ["w1"] } }));
      await refused(() => run({ workspaceId: /w/ } as mongo.Filter<Thing>));
      await refused(() => run({ $or: [{ workspaceId: "w1" }] }));
      expect(await everything()).toMatchObject([{ name: "mine" }, { name: "theirs" }]);
    },
  );

  it("documents without a workspace are refused", async () => {
    await refused(() => things.insertOne({ _id: "3" } as Thing));
    await refused(() => things.insertMany([{ _id: "3", workspaceId: "" }]));
    expect(await everything()).toHaveLength(2);
  });

  it.each([
    "estimatedDocumentCount",
    "count",
    "drop",
    "rename",
    "createIndex",
    "dropIndexes",
    "listIndexes",
    "initializeOrderedBulkOp",
    "initializeUnorderedBulkOp",
    "options",
  ])("%s is refused, like every method without a rule", async (name) => {
    const method: unknown = Reflect.get(things, name);
    await refused(() => (method as () => unknown)());
  });

  describe("in a transaction", () => {
    const mine = { workspaceId: "w1" };
    const call = { principal: mine };
    const calls: [string, (options: { session: ClientSession }) => unknown][] = [
      ["findOne", (o) => things.findOne({ workspaceId: "w2" }, o)],
      ["aggregate", (o) => things.aggregate([{ $match: { workspaceId: "w2" } }], o).toArray()],
      ["updateOne", (o) => things.updateOne({ workspaceId: "w2" }, set, o)],
      ["insertMany", (o) => things.insertMany([{ _id: "3", workspaceId: "w2" }], o)],
      ["bulkWrite", (o) => things.bulkWrite([{ deleteOne: { filter: { workspaceId: "w2" } } }], o)],
    ];

    it.each(calls)("%s is refused in another workspace than that of the call", async (_name, run) => {
      await refused(() =>
        db.transaction(call, async (session) => {
          await things.updateOne(mine, set, { session });
          await run({ session });
        }),
      );
      expect(await everything()).toMatchObject([{ name: "mine" }, { name: "theirs" }]);
    });

    it("documents of two workspaces in one call are refused", async () => {
      const both = ["w1", "w2"].map((workspaceId) => ({ _id: workspaceId, workspaceId }));
      await refused(() => db.transaction(call, (session) => things.insertMany(both, { session })));
    });

    it("work without a caller may have a batch of several workspaces", async () => {
      await db.transaction({}, async (session) => {
        await things.updateOne(mine, set, { session });
        await things.updateOne({ workspaceId: "w2" }, set, { session });
      });
      expect(await everything()).toMatchObject([{ name: "x" }, { name: "x" }]);
    });

    it("distinct is refused, which sharded collections do not allow there", async () => {
      await refused(() => db.transaction({}, (session) => things.distinct("name", mine, { session })));
    });
  });

  it("a guarded collection does not expose the raw collection", () => {
    const data = Object.entries(things).filter(([, value]) => typeof value !== "function");
    expect(Object.fromEntries(data)).toEqual({
      collectionName: "things",
      dbName: db.database,
      namespace: `${db.database}.things`,
    });
  });

  it("updates that move a document, and update pipelines that rebuild it, are refused", async () => {
    const mine = { _id: "1", workspaceId: "w1" };
    await refused(() => things.updateOne(mine, { $set: { workspaceId: "w2" } }));
    await refused(() => things.updateOne(mine, { $rename: { name: "workspaceId" } }));
    await refused(() => things.updateOne(mine, [{ $replaceWith: { workspaceId: "w2" } }]));
    await refused(() => things.replaceOne(mine, { workspaceId: "w2" }));
  });

  it("a cursor that is changed before it is opened is still guarded", async () => {
    const mine = { workspaceId: "w1" };
    await refused(() => things.find(mine).filter({}));
    await refused(() => things.find(mine).clone().filter({ _id: "2" }));
    await refused(() => things.find(mine).addQueryModifier("$query", {}));
    await refused(() => things.find(mine).collation({ locale: "en", strength: 1 }));
    await refused(() => things.aggregate([{ $match: mine }]).out("elsewhere"));
    await refused(() => things.aggregate([{ $match: mine }]).lookup({ from: "things" }));
    await refused(() =>
      things
        .aggregate([{ $match: mine }])
        .clone()
        .addStage({ $unionWith: "things" }),
    );
    expect(
      await things
        .find(mine)
        .filter({ ...mine, _id: "1" })
        .toArray(),
    ).toHaveLength(1);
    expect(
      await things
        .aggregate([{ $match: mine }])
        .limit(1)
        .project({ name: 1 })
        .toArray(),
    ).toHaveLength(1);
  });

  it("allowed methods read and write only documents of the workspace", async () => {
    const mine = { workspaceId: "w1" };
    expect(
      await things
        .find(mine)
        .map(({ _id }) => _id)
        .toArray(),
    ).toEqual(["1"]);
    expect(await things.countDocuments({ ...mine, _id: "2" })).toBe(0);
    expect(await things.distinct("name", mine)).toEqual(["mine"]);
    const join = { from: "things", as: "all", pipeline: [{ $match: mine }] };
    const [joined] = await things.aggregate([{ $match: mine }, { $lookup: join }]).toArray();
    expect(joined).toMatchObject({ all: [{ _id: "1" }] });
    await things.updateMany(mine, [{ $set: { count: { $add: ["$count", 1] } } }]);
    await things.updateOne(
      { ...mine, _id: "3" },
      { $setOnInsert: { ...mine, name: "new" } },
      { upsert: true },
    );
    await things.bulkWrite([
      { deleteMany: { filter: { ...mine, _id: "1" } } },
      { insertOne: { document: { _id: "4", ...mine } } },
    ]);
    expect((await everything()).map(({ _id, count }) => [_id, count])).toEqual([
      ["2", 1],
      ["3", undefined],
      ["4", undefined],
    ]);
  });
});
