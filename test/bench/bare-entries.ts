import { newId } from "@asset-register/runtime";
import mongoose from "mongoose";
import { feedEntryRecords } from "../../services/notification/src/store/feed/feed-entries.ts";
import type { Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";

const WORKSPACE = "wsp_01k8f70a4bfhkv5wq2t4r7z1xe";

/**
 * The minimum cost of entries of the feed: only the driver, one transaction after the other, each with one `$inc` and one
 * insertMany. The documents and their indexes are ours. They are made before the clock starts.
 */
export async function bareEntries(
  { mongoUrl, serverPids }: BenchPlatform,
  perTransaction: number,
): Promise<{ side: Side; stop(): Promise<void> }> {
  const client = await mongoose.mongo.MongoClient.connect(mongoUrl);
  const database = client.db(`bench_feed_${newId("run")}`);
  const heads = database.collection<{ _id: string; seq: number }>("heads");
  const rows = database.collection<{ _id: string; seq: number }>("entries");
  await rows.createIndexes(feedEntryRecords.indexes.map((index) => ({ ...index })));
  await heads.insertOne({ _id: WORKSPACE, seq: 0 });
  let seq = 0;
  const entry = () => {
    seq += 1;
    const assetId = newId("ast");
    const data = JSON.stringify({
      ...{ seq: 1, asset_id: assetId, movement_id: newId("mov"), reason: "transfer", ref: null },
      from: { location_id: newId("loc"), custodian_id: null },
      to: { location_id: newId("loc"), custodian_id: null },
      at: new Date().toISOString(),
      by: { kind: "user", id: newId("usr") },
    });
    return {
      ...{ _id: newId("msg").split("").reverse().join(""), workspaceId: WORKSPACE, type: "asset.moved" },
      ...{ timestamp: new Date(), data, assetId, seq, insertedAt: new Date() },
    };
  };
  const batch = () => Array.from({ length: perTransaction }, entry);
  let ready: ReturnType<typeof batch>[] = [];
  let perMillisecond = 0.02;
  return {
    side: {
      processes: () => ({ client: process.pid, ...serverPids }),
      prepare(milliseconds) {
        ready = Array.from({ length: Math.ceil(perMillisecond * milliseconds * 1.5) }, batch);
      },
      async run(milliseconds) {
        const started = performance.now();
        let transactions = 0;
        await client.withSession(async (session) => {
          while (performance.now() - started < milliseconds) {
            const documents = ready.pop() ?? batch();
            await session.withTransaction(
              async () => {
                await heads.updateOne({ _id: WORKSPACE }, { $inc: { seq: perTransaction } }, { session });
                await rows.insertMany(documents, { session });
              },
              { writeConcern: { w: "majority", journal: true } },
            );
            transactions += 1;
          }
        });
        const taken = performance.now() - started;
        perMillisecond = Math.max(perMillisecond, transactions / taken);
        ready = [];
        return { operations: transactions * perTransaction, milliseconds: taken };
      },
    },
    async stop() {
      await database.dropDatabase();
      await client.close();
    },
  };
}
