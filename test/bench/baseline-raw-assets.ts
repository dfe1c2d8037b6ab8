import { newId } from "@asset-register/runtime";
import Fastify from "fastify";
import mongoose from "mongoose";
import { readRaw } from "./raw-lists.ts";

/**
 * The baseline of million-rates: bare routes that read and insert assets by the driver, in the collection of the register. A new
 * asset belongs to a workspace that nobody reads; its history and event go to copies of their collections.
 */
const { MONGO_URL = "", DATABASE = "", WORKSPACE_ID = "" } = process.env;
const OTHER_WORKSPACE = "wsp_bench";
const copies = { asset_history: "bench_history", outbox: "bench_outbox" };

type Row = { _id: string };

const client = await new mongoose.mongo.MongoClient(MONGO_URL).connect();
const db = client.db(DATABASE);
const assets = db.collection<Row>("assets");
for (const [name, copy] of Object.entries(copies)) {
  const indexes = (await db.collection(name).indexes()).filter((index) => index.name !== "_id_");
  await db.collection(copy).drop();
  await db.createCollection(copy);
  if (indexes.length > 0)
    await db.collection(copy).createIndexes(indexes.map(({ v: _version, ...index }) => index));
}
const [asset] = await assets.find({ workspaceId: WORKSPACE_ID }).limit(1).toArray();
const entry = await db.collection("asset_history").findOne({});
const value = Buffer.alloc(400);

const app = Fastify();
app.get("/assets", (request) => readRaw(assets, WORKSPACE_ID, request.url));
app.get("/assets/:id", (request) => readRaw(assets, WORKSPACE_ID, request.url));
app.post("/assets", async (request, reply) => {
  const id = newId("ast");
  const { name } = request.body as { name: string };
  const workspaceId = OTHER_WORKSPACE;
  const created = { ...asset, ...{ _id: id, workspaceId, name, nameKey: name.toLowerCase() } };
  const numbered = { ...created, number: id, numberKey: id, numberKeys: [id] };
  const events = [1, 2].map((sequence) => ({
    _id: newId("msg"),
    subject: id,
    orderingKey: id,
    sequence,
    value,
  }));
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await assets.insertOne(numbered, { session });
      const row = { ...entry, _id: newId("his"), assetId: id, workspaceId };
      await db.collection<Row>(copies.asset_history).insertOne(row, { session });
      await db.collection<Row>(copies.outbox).insertMany(events, { session });
    }),
  );
  return reply.status(201).send(numbered);
});
process.send?.(await app.listen({ host: "127.0.0.1", port: 0 }));
