import mongoose, { type Model } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mongo, TenantGuardError } from "../src/index.ts";
import { connectFresh, type Thing } from "./connect.ts";
import { allThings, refused, resetThings } from "./guarded-things.ts";

let db: Mongo;
let ThingModel: Model<Thing>;
let Part: Model<Thing & { thing: string }>;

const text = { type: String };
const base = { _id: text, workspaceId: text, name: text, count: Number };

beforeAll(async () => {
  db = await connectFresh();
  ThingModel = db.model<Thing>("Thing", new mongoose.Schema<Thing>(base), "things");
  const part = new mongoose.Schema<Thing & { thing: string }>({
    ...base,
    thing: { type: String, ref: "Thing" },
  });
  Part = db.model("Part", part, "parts");
});
afterAll(() => db.close());

beforeEach(() => resetThings(db));

const everything = () => allThings(db);

describe("a mongoose model", () => {
  const calls: [string, () => unknown][] = [
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

  it.each(calls)("the guard of a model refuses %s", async (_name, run) => {
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
