import { connectMongo, definedOnly } from "@asset-register/mongo";
import { createLogger } from "@asset-register/runtime";
import mongoose from "mongoose";
import type { Asset } from "../../services/register/src/domain/assets/asset.ts";
import { assetRecords } from "../../services/register/src/store/assets/asset-records.ts";
import { createCounterStore } from "../../services/register/src/store/assets/counters.ts";
import { type BenchPlatform, registerDatabase } from "./platform.ts";

const TOGETHER = 5_000;

type Database = Pick<BenchPlatform, "mongoUrl" | "platform">;

/**
 * Inserts assets as the register would have stored them, with its counters. With their indexes, the collection takes a
 * few hundred a second on a busy machine, so they are dropped before and built after.
 */
export async function insertAssets(
  bench: Database,
  workspaceId: string,
  { first, count }: { first: number; count: number },
  assetOf: (index: number) => Asset,
  progress: (line: string) => void,
): Promise<void> {
  const logger = createLogger({ service: "bench", level: "error" });
  const database = registerDatabase(bench);
  const mongo = await connectMongo({ url: bench.mongoUrl, database, production: false, logger });
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
  try {
    const { countInserted } = assetRecords.store(mongo);
    const assets = client.db(database).collection<{ _id: string }>(assetRecords.collection);
    const indexes = (await assets.indexes()).filter(({ name }) => name !== "_id_");
    await assets.dropIndexes();
    for (let done = 0; done < count; done += TOGETHER) {
      const size = Math.min(TOGETHER, count - done);
      const part = Array.from({ length: size }, (_, index) => assetOf(done + index));
      await assets.insertMany(part.map(toDocument), { ordered: false, writeConcern: { w: 1, j: false } });
      const counted = part.filter(({ deletedAt }) => deletedAt === undefined).map(({ id }) => id);
      await mongo.transaction({}, (session) => countInserted(workspaceId, counted, session));
      if ((done / TOGETHER) % 20 === 0) progress(`assets: ${done + size} of ${count}`);
    }
    await createCounterStore(mongo).skipTo(workspaceId, first + count);
    progress(`assets: ${indexes.length} indexes`);
    await assets.createIndexes(indexes.map(({ v: _version, ...index }) => index));
  } finally {
    await client.close();
    await mongo.close();
  }
}

/** The document that the register's store makes of an asset. */
function toDocument(asset: Asset): { _id: string } & Record<string, unknown> {
  const { id, ...fields } = asset;
  return { ...definedOnly(fields), ...assetRecords.derive?.(asset), _id: id };
}
