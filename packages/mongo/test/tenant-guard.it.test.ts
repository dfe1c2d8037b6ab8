import mongoose, { type Model, type mongo } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mongo, type TenantCollection, TenantGuardError } from "../src/index.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh, type Thing } from "./connect.ts";

let db: Mongo;
let things: TenantCollection<Thing>;
let ThingModel: Model<Thing>;
let Part: Model<Thing & { thing: string }>;

const text = { type: String };
const base = { _id: text, workspaceId: text, name: text, count: Number };

beforeAll(async () => {
  db = await connectFresh();
  things = db.collection<Thing>("things");
  ThingModel = db.model<Thing>("Thing", new mongoose.Schema<Thing>(base), "things");
  const part = new mongoose.Schema<Thing & { thing: string }>({
    ...base,
    thing: { type: String, ref: "Thing" },
  });
  Part = db.model("Part", part, "parts");
});
afterAll(() => db.close());

beforeEach(async () => {
  const raw = systemCollection<Thing>(db, "things");
  await raw.deleteMany({});
  await raw.insertMany([
    { _id: "1", workspaceId: "w1", name: "mine", count: 1 },
    { _id: "2", workspaceId: "w2", name: "theirs", count: 1 },
  ]);
});

const everything = () => systemCollection<Thing>(db, "things").find().sort({ _id: 1 }).toArray();

/** Expects TenantGuardError, whether it is thrown or is the reason of a rejected promise. */
async function refused(call: () => unknown): Promise<void> {
  const attempt = async () => await call();
  await expect(attempt()).rejects.toThrow(TenantGuardError);
}

describe("a native collection", () => {
  const set = { $set: { name: "x" } };
  const forms: [string, (filter: mongo.Filter<Thing>) => unknown][] = [
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
    ["watch", (f) => things.watch([{ $match: f }])],
  ];

  it.each(forms)(
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

describe("a change stream", () => {
  it("a change stream contains only documents of its workspace", async () => {
    const changes = things.watch([{ $match: { "fullDocument.workspaceId": "w1" } }]);
    // The stream starts with its first command, so the test writes after it.
    await changes.tryNext();
    await things.insertOne({ _id: "5", workspaceId: "w2" });
    await things.insertOne({ _id: "6", workspaceId: "w1" });
    expect(await changes.next()).toMatchObject({ fullDocument: { _id: "6" } });
    await changes.close();
  });
});

describe("a mongoose model", () => {
  const forms: [string, () => unknown][] = [
    ["find", () => ThingModel.find({})],
    ["find with an operator on workspaceId", () => ThingModel.find({ workspaceId: { $ne: "w1" } })],
    [
      "find with a list, which mongoose converts to $in",
      () => ThingModel.find({ workspaceId: ["w1"] } as never),
    ],
    ["find without any filter", () => ThingModel.find()],
    ["lean", () => ThingModel.find({ name: "theirs" }).lean()],
    ["where", () => ThingModel.where("name").equals("theirs").findOne()],
    ["findOne", () => ThingModel.findOne({ _id: "2" })],
    ["findById", () => ThingModel.findById("2")],
    ["findByIdAndUpdate", () => ThingModel.findByIdAndUpdate("2", { name: "x" })],
    ["findByIdAndDelete", () => ThingModel.findByIdAndDelete("2")],
    ["findOneAndUpdate", () => ThingModel.findOneAndUpdate({}, { name: "x" })],
    ["findOneAndReplace", () => ThingModel.findOneAndReplace({}, { workspaceId: "w1" })],
    ["findOneAndDelete", () => ThingModel.findOneAndDelete({})],
    ["exists", () => ThingModel.exists({ _id: "2" })],
    ["updateOne", () => ThingModel.updateOne({}, { name: "x" })],
    ["updateMany", () => ThingModel.updateMany({}, { name: "x" })],
    [
      "an update that moves a document",
      () => ThingModel.updateOne({ workspaceId: "w1" }, { workspaceId: "w2" }),
    ],
    ["replaceOne", () => ThingModel.replaceOne({}, { workspaceId: "w1" })],
    ["deleteOne", () => ThingModel.deleteOne({})],
    ["deleteMany", () => ThingModel.deleteMany({})],
    ["countDocuments", () => ThingModel.countDocuments({})],
    ["estimatedDocumentCount", () => ThingModel.estimatedDocumentCount()],
    ["distinct", () => ThingModel.distinct("name")],
    ["aggregate", () => ThingModel.aggregate([{ $group: { _id: "$name" } }])],
    [
      "aggregate with an unguarded $lookup",
      () =>
        ThingModel.aggregate()
          .match({ workspaceId: "w1" })
          .lookup({ from: "things", localField: "a", foreignField: "b", as: "c" }),
    ],
    ["a cursor", () => ThingModel.find({}).cursor().next()],
    [
      "an aggregation cursor",
      () =>
        ThingModel.aggregate([{ $limit: 1 }])
          .cursor()
          .next(),
    ],
    ["bulkWrite", () => ThingModel.bulkWrite([{ deleteMany: { filter: {} } }])],
    ["insertMany", () => ThingModel.insertMany([{ _id: "3", name: "no workspace" }])],
    ["create", () => ThingModel.create({ _id: "3", name: "no workspace" })],
    ["save", () => new ThingModel({ _id: "3", name: "no workspace" }).save()],
    ["find of the native collection", () => ThingModel.collection.find({}).toArray()],
    ["the count of the native collection", () => ThingModel.collection.estimatedDocumentCount()],
    ["createIndexes", () => ThingModel.collection.createIndex({ name: 1 })],
  ];

  it.each(forms)("the guard of a model refuses %s", async (_name, run) => {
    await refused(run);
    expect(await everything()).toMatchObject([{ name: "mine" }, { name: "theirs" }]);
  });

  it("populate is refused without a match on workspaceId, and does not return records of other workspaces", async () => {
    await Part.create({ _id: "p", workspaceId: "w1", thing: "2" });
    const parts = () => Part.find({ workspaceId: "w1" });
    await refused(() => parts().populate("thing"));
    const [part] = await parts().populate({ path: "thing", match: { workspaceId: "w1" } });
    expect(part?.thing).toBeNull();
  });

  it("save, bulkSave and deleteOne of a document filter by its workspace", async () => {
    const mine = await ThingModel.findOne({ _id: "1", workspaceId: "w1" }).orFail();
    mine.name = "changed";
    await mine.save();
    expect(await ThingModel.findOne({ workspaceId: "w1" }).lean()).toMatchObject({ name: "changed" });
    mine.name = "again";
    await ThingModel.bulkSave([mine]);
    expect(await ThingModel.findOne({ workspaceId: "w1" }).lean()).toMatchObject({ name: "again" });
    await mine.deleteOne();
    expect(await everything()).toMatchObject([{ _id: "2" }]);
  });

  it("save of a document with a changed workspaceId is refused", async () => {
    const mine = await ThingModel.findOne({ _id: "1", workspaceId: "w1" }).orFail();
    mine.workspaceId = "w2";
    await refused(() => mine.save());
  });

  it("a schema without workspaceId is refused", () => {
    const schema = new mongoose.Schema({ _id: String });
    expect(() => db.model("Other", schema as never, "others")).toThrow(TenantGuardError);
  });
});

describe("the connection", () => {
  it("collections and models of the connection are guarded", async () => {
    await refused(() => db.connection.collection("things").find({}).toArray());
    await refused(() => db.connection.model("Thing").findOne({}));
    const own = db.connection.model("Own", new mongoose.Schema(base), "things");
    await refused(() => own.findOne({}));
  });

  it.each([
    "db",
    "client",
    "getClient",
    "useDb",
    "aggregate",
    "watch",
    "bulkWrite",
    "dropDatabase",
    "collections",
  ])("the connection does not expose %s", (name) => {
    expect(() => Reflect.get(db.connection, name)).toThrow(TenantGuardError);
  });

  it("the connection can be awaited and its readyState can be read", async () => {
    expect(await Promise.resolve(db.connection)).toBe(db.connection);
    expect(db.connection.readyState).toBe(1);
  });
});
