import { limits } from "@asset-register/proto/limits";
import { topics } from "@asset-register/proto/topics";
import { Kafka, logLevel } from "kafkajs";
import mongoose from "mongoose";
import { createTopic } from "./bare-kafka.ts";
import type { Prepared, Side } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import type { BenchPlatform } from "./platform.ts";
import { type ProcessingSide, processingSide } from "./processing-side.ts";
import { createReaders, rotate } from "./readers.ts";
import { openReadsTopic } from "./reads-topic.ts";
import { tagAssets } from "./tagged-assets.ts";

const READERS = 50;
const TAGS = 2_000;
/** Of the topic of reads. */
const PARTITIONS = 12;

/** Reads of known tags: each tag is read several times in a round at one reader, and in the next round at another. */
export async function knownTags(bench: BenchPlatform): Promise<ProcessingSide["read"]> {
  const readerIds = (await createReaders(bench, READERS)).map(({ id }) => id);
  const tags = await tagAssets(bench, TAGS);
  return (index, round) => {
    const tag = index % TAGS;
    return { epc: tags[tag]?.epc ?? "", readerId: readerIds[(tag + round) % READERS] ?? "" };
  };
}

export const processing = async (bench: BenchPlatform): Promise<Prepared> =>
  compareProcessing(bench, {
    ...{ name: "processing", tags: `${TAGS} tags on assets` },
    read: await knownTags(bench),
  });

/** Each read is of another tag, which nobody knows: the most work for a read. */
export async function processingNewTags(bench: BenchPlatform): Promise<Prepared> {
  const readerId = rotate((await createReaders(bench, READERS)).map(({ id }) => id));
  // By default a reader adds 1,000 in an hour, and reads of more are not stored.
  const settings = { unknown_per_hour: limits.unknownPerHour };
  const { status } = await bench.userApi.call("PUT", "/reader-settings", settings);
  if (status !== 200) throw new Error(`PUT /reader-settings returned ${status}`);
  let made = 0;
  return compareProcessing(bench, {
    name: "processing-new-tags",
    tags: "each read of another unknown tag",
    read: () => {
      made += 1;
      return { epc: `FF00${made.toString(16).toUpperCase().padStart(20, "0")}`, readerId: readerId() };
    },
  });
}

type Compared = { name: string; tags: string; read: ProcessingSide["read"] };

async function compareProcessing(bench: BenchPlatform, { name, tags, read }: Compared): Promise<Prepared> {
  const ours = await workerSide(bench, read);
  const bare = await bareSide(bench, name, read);
  return {
    benchmark: {
      name,
      work: `reads from the topic, until stored, smoothed and published; ${tags}; baseline: bare eachBatch + insertMany of the same reads`,
      goal: 0.3,
      ours: ours.side,
      baseline: bare.side,
    },
    async stop() {
      await ours.stop();
      await bare.stop();
    },
  };
}

/** The worker of the platform. Its API process is idle. */
export async function workerSide(
  bench: BenchPlatform,
  read: ProcessingSide["read"],
  more: Partial<Pick<ProcessingSide, "before" | "processes">> = {},
): Promise<{ side: Side; stop(): Promise<void> }> {
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
  const db = client.db(bench.platform.services["tagging-ingest"]?.env.MONGO_DATABASE ?? "");
  const topic = await openReadsTopic(bench, topics.readerEvent);
  // In the form of the index, because it is asked often.
  const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  const waiting = { partition: { $in: partitions }, releaseAt: { $gt: new Date(0) } };
  const side = processingSide({
    ...{ topic, read, stored: () => countStored(db) },
    async isDone() {
      const [held, unsent] = await Promise.all([
        db.collection("presences").countDocuments(waiting, { limit: 1 }),
        db.collection("outbox").countDocuments({}, { limit: 1 }),
      ]);
      return held + unsent === 0;
    },
    processes: () => ({
      client: process.pid,
      "tagging-ingest": bench.platform.services["tagging-ingest"]?.pid() ?? 0,
      ...bench.serverPids,
    }),
    ...more,
  });
  const stop = async (): Promise<void> => {
    await topic.stop();
    await client.close();
  };
  return { side, stop };
}

/** How many reads the worker has stored. */
export async function countStored(db: mongoose.mongo.Db): Promise<number> {
  const days = await db.listCollections({ name: /^reader_events_\d+$/ }, { nameOnly: true }).toArray();
  const counts = await Promise.all(days.map((day) => db.collection(day.name).estimatedDocumentCount()));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function bareSide(bench: BenchPlatform, name: string, read: ProcessingSide["read"]) {
  const topicName = `${name}-baseline`;
  const kafka = new Kafka({ brokers: bench.kafkaBrokers, logLevel: logLevel.ERROR });
  await createTopic(kafka, `${bench.topicPrefix}${topicName}`);
  const topic = await openReadsTopic(bench, { name: topicName });
  const database = `bench_${name.replaceAll("-", "_")}`;
  const bare = await startBaseline("baseline-processing.ts", {
    ...{ MONGO_URL: bench.mongoUrl, DATABASE: database },
    ...{ BROKERS: bench.kafkaBrokers.join(","), TOPIC: `${bench.topicPrefix}${topicName}` },
  });
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
  const events = client.db(database).collection("events");
  const side = processingSide({
    ...{ topic, read },
    stored: () => events.estimatedDocumentCount(),
    isDone: async () => true,
    processes: () => ({ client: process.pid, consumer: bare.pid, ...bench.serverPids }),
  });
  const stop = async (): Promise<void> => {
    await bare.stop();
    await topic.stop();
    await client.close();
  };
  return { side, stop };
}
