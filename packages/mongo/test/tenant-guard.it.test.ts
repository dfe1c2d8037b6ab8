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

/** Whether it throws at once or rejects, it must be the guard that does. */
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

  it.each(forms)("refuses %s without a workspace, by an operator, and nested", async (_name, run) => {
    await refused(() => run({}));
    await refused(() => run({ _id: "2" }));
    await refused(() => run({ workspaceId: { $in: ["w1"] } }));
    await refused(() => run({ workspaceId: /w/ } as mongo.Filter<Thing>));
    await refused(() => run({ $or: [{ workspaceId: "w1" }] }));
    expect(await everything()).toMatchObject([{ name: "mine" }, { name: "theirs" }]);
  });

  it("refuses documents without a workspace", async () => {
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
  ])("refuses %s, as each method without a rule", async (name) => {
    const method: unknown = Reflect.get(things, name);
    await refused(() => (method as () => unknown)());
  });

  it("shows no way to the collection behind it", () => {
    const data = Object.entries(things).filter(([, value]) => typeof value !== "function");
    expect(Object.fromEntries(data)).toEqual({
      collectionName: "things",
      dbName: db.database,
      namespace: `${db.database}.things`,
    });
  });

  it("refuses to move a document, and a pipeline that can't be judged", async () => {
    const mine = { _id: "1", workspaceId: "w1" };
    await refused(() => things.updateOne(mine, { $set: { workspaceId: "w2" } }));
    await refused(() => things.updateOne(mine, { $rename: { name: "workspaceId" } }));
    await refused(() => things.updateOne(mine, [{ $replaceWith: { workspaceId: "w2" } }]));
    await refused(() => things.replaceOne(mine, { workspaceId: "w2" }));
  });

  it("keeps guarding a cursor that is changed before it is opened", async () => {
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

  it("answers what belongs to the workspace, in each form", async () => {
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
  it("shows the documents of its own workspace alone", async () => {
    const changes = things.watch([{ $match: { "fullDocument.workspaceId": "w1" } }]);
    // The stream begins with its first command; until then nothing may be written.
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
    ["find by an operator", () => ThingModel.find({ workspaceId: { $ne: "w1" } })],
    ["find by a list, which mongoose makes $in", () => ThingModel.find({ workspaceId: ["w1"] } as never)],
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
    ["an update that moves", () => ThingModel.updateOne({ workspaceId: "w1" }, { workspaceId: "w2" })],
    ["replaceOne", () => ThingModel.replaceOne({}, { workspaceId: "w1" })],
    ["deleteOne", () => ThingModel.deleteOne({})],
    ["deleteMany", () => ThingModel.deleteMany({})],
    ["countDocuments", () => ThingModel.countDocuments({})],
    ["estimatedDocumentCount", () => ThingModel.estimatedDocumentCount()],
    ["distinct", () => ThingModel.distinct("name")],
    ["aggregate", () => ThingModel.aggregate([{ $group: { _id: "$name" } }])],
    [
      "aggregate with a join",
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
    ["its native collection", () => ThingModel.collection.find({}).toArray()],
    ["its native collection's count", () => ThingModel.collection.estimatedDocumentCount()],
    ["createIndexes", () => ThingModel.collection.createIndex({ name: 1 })],
  ];

  it.each(forms)("refuses %s", async (_name, run) => {
    await refused(run);
    expect(await everything()).toMatchObject([{ name: "mine" }, { name: "theirs" }]);
  });

  it("refuses to populate what the reference alone names", async () => {
    await Part.create({ _id: "p", workspaceId: "w1", thing: "2" });
    const parts = () => Part.find({ workspaceId: "w1" });
    await refused(() => parts().populate("thing"));
    const [part] = await parts().populate({ path: "thing", match: { workspaceId: "w1" } });
    expect(part?.thing).toBeNull();
  });

  it("names the workspace in the own writes of a document", async () => {
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

  it("refuses a document that was moved by hand", async () => {
    const mine = await ThingModel.findOne({ _id: "1", workspaceId: "w1" }).orFail();
    mine.workspaceId = "w2";
    await refused(() => mine.save());
  });

  it("needs workspaceId in its schema", () => {
    const schema = new mongoose.Schema({ _id: String });
    expect(() => db.model("Other", schema as never, "others")).toThrow(TenantGuardError);
  });
});

describe("the connection", () => {
  it("opens collections and models behind the guard", async () => {
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
  ])("does not give out %s", (name) => {
    expect(() => Reflect.get(db.connection, name)).toThrow(TenantGuardError);
  });

  it("can be awaited and printed all the same", async () => {
    expect(await Promise.resolve(db.connection)).toBe(db.connection);
    expect(db.connection.readyState).toBe(1);
  });
});
