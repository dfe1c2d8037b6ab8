import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import mongoose from "mongoose";
import { undated } from "../../../deploy/cli/src/shard-keys.ts";
import type { BenchPlatform } from "../platform.ts";
import type { Size, Sizes } from "./arithmetic.ts";

/** Nothing has changed for so long: no event is under way, and no consumer has work. */
const QUIET_POLLS = 4;
const POLL_MS = 3_000;
/** A departure is judged this long after the last read. */
const DEPARTURE_MS = 40_000;

/** A collection or a topic: `register.assets`, `topic asset.v1`. */
export type Measured = { sizes: Sizes; expiryDays: ReadonlyMap<string, number> };

type Index = { expireAfterSeconds?: number };

/** Measures every collection of every service and every topic, when all that was sent has had its effects. */
export async function measureWhenQuiet(bench: BenchPlatform): Promise<Measured> {
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
  try {
    await sleep(DEPARTURE_MS);
    let [before, polls] = ["", 0];
    while (polls < QUIET_POLLS) {
      const now = await stateOf(client, bench);
      polls = now === before ? polls + 1 : 0;
      before = now;
      await sleep(POLL_MS);
    }
    return await collectionSizes(client, bench);
  } finally {
    await client.close();
  }
}

const databases = (client: mongoose.mongo.MongoClient, { platform }: BenchPlatform) =>
  Object.entries(platform.services).map(([service, { env }]) => ({
    service,
    database: client.db(env.MONGO_DATABASE),
  }));

/** Row counts and topics. It is the same again when nothing happens. */
async function stateOf(client: mongoose.mongo.MongoClient, bench: BenchPlatform): Promise<string> {
  const counts: string[] = [];
  for (const { service, database } of databases(client, bench)) {
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
      counts.push(`${service}.${name} ${await database.collection(name).estimatedDocumentCount()}`);
    }
  }
  return [
    ...counts.toSorted(),
    ...[...topicSizes(bench)].map(([name, { bytes }]) => `${name} ${bytes}`),
  ].join();
}

async function collectionSizes(client: mongoose.mongo.MongoClient, bench: BenchPlatform): Promise<Measured> {
  // Without a checkpoint, the files of the last minute are not written.
  await client.db("admin").command({ fsync: 1 });
  const sizes = new Map<string, Size>(topicSizes(bench));
  const expiryDays = new Map<string, number>();
  for (const { service, database } of databases(client, bench)) {
    for (const { name } of await database.listCollections({}, { nameOnly: true }).toArray()) {
      const rows = database.collection(name);
      const [stats] = await rows.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
      const { count, storageSize, freeStorageSize, totalIndexSize } = stats?.storageStats ?? {};
      const title = `${service}.${undated(name)}`;
      const known = sizes.get(title) ?? { rows: 0, bytes: 0 };
      const bytes = storageSize - (freeStorageSize ?? 0) + totalIndexSize;
      sizes.set(title, { rows: known.rows + count, bytes: known.bytes + bytes });
      const expiry = ((await rows.indexes()) as Index[]).find((index) => (index.expireAfterSeconds ?? 0) > 0);
      if (expiry?.expireAfterSeconds !== undefined) expiryDays.set(title, expiry.expireAfterSeconds / 86_400);
    }
  }
  return { sizes, expiryDays };
}

/** The segments of all partitions of each topic, as the broker has stored them. */
function topicSizes({ dataDirectory, topicPrefix }: BenchPlatform): Map<string, Size> {
  const sizes = new Map<string, Size>();
  const data = path.join(dataDirectory, "data");
  for (const server of readdirSync(data).filter((name) => name.startsWith("kafka"))) {
    for (const file of readdirSync(path.join(data, server), { recursive: true, encoding: "utf8" })) {
      const partition = path.basename(path.dirname(file));
      if (!file.endsWith(".log") || !partition.startsWith(topicPrefix)) continue;
      const title = `topic ${partition.slice(topicPrefix.length).replace(/-\d+$/, "")}`;
      const known = sizes.get(title) ?? { rows: 0, bytes: 0 };
      const { size } = statSync(path.join(data, server, file));
      sizes.set(title, { ...known, bytes: known.bytes + size });
    }
  }
  return sizes;
}
