import { setTimeout as sleep } from "node:timers/promises";
import { topics } from "@asset-register/proto/topics";
import { Kafka, logLevel } from "kafkajs";
import mongoose from "mongoose";
import { createTopic } from "./bare-kafka.ts";
import type { Prepared, Side } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import type { BenchPlatform } from "./platform.ts";
import { countStored, knownTags } from "./processing.ts";
import { createReaders } from "./readers.ts";
import { openReadsTopic, type ReadsTopic } from "./reads-topic.ts";
import { tagAssets } from "./tagged-assets.ts";

/** Reads whose time until `last_seen` is measured. Each is of another tag, so that it is a sighting. */
const PROBES_PER_SECOND = 40;
const TICK_MS = 50;
const CALIBRATION_MS = 15_000;
/** So many reads wait for the worker while its full rate is measured: one of each tag. */
const WAITING = 2_000;
const SENT_TOGETHER = 200;

/** A probe, and the id of the row that shows it. */
type Probe = { epc: string; rowId: string };

type Collection = mongoose.mongo.Collection<{ _id: string }>;

/**
 * From the record of a read to `last_seen` of its asset, under half of the load that the worker can process. The
 * reorder window is 0: it is a wait that operators choose, and no cost.
 */
export async function lastSeen(bench: BenchPlatform): Promise<Prepared> {
  const service = bench.platform.services["tagging-ingest"];
  await service?.restart({ REORDER_WINDOW_MS: "0" });
  const read = await knownTags(bench);
  const [portal] = await createReaders(bench, 1);
  const readerId = portal?.id ?? "";
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl).connect();
  const register = client.db(bench.platform.services.register?.env.MONGO_DATABASE ?? "");

  const topic = await openReadsTopic(bench, topics.readerEvent);
  const stored = () => countStored(client.db(service?.env.MONGO_DATABASE ?? ""));
  const perSecond = Math.round((await fullRate(topic, read, stored)) / 2);
  const kafka = new Kafka({ brokers: bench.kafkaBrokers, logLevel: logLevel.ERROR });
  await createTopic(kafka, `${bench.topicPrefix}last-seen-baseline`);
  const bareTopic = await openReadsTopic(bench, { name: "last-seen-baseline" });
  const bare = await startBaseline("baseline-last-seen.ts", {
    ...{ MONGO_URL: bench.mongoUrl, DATABASE: "bench_last_seen" },
    ...{ BROKERS: bench.kafkaBrokers.join(","), TOPIC: `${bench.topicPrefix}last-seen-baseline` },
  });

  const sideOf = (
    own: ReadsTopic,
    rows: Collection,
    makeProbes: (count: number) => Promise<Probe[]>,
    process: Record<string, number>,
  ): Side => {
    let probes: Probe[] = [];
    return {
      processes: () => ({ ...process, ...bench.serverPids }),
      async prepare(milliseconds) {
        probes = await makeProbes(Math.ceil((milliseconds / 1000) * PROBES_PER_SECOND));
      },
      async run() {
        const watched = await watch(rows);
        const started = performance.now();
        const sentAt = new Map<string, number>();
        let index = 0;
        for (let sent = 0; sent < probes.length; ) {
          const elapsed = performance.now() - started;
          const due = Math.floor((elapsed / 1000) * PROBES_PER_SECOND) - sent;
          const now = Date.now();
          const load = Math.floor((elapsed / 1000) * perSecond) - index;
          const reads = Array.from({ length: Math.max(0, load) }, () => ({ ...read(index++, 0), at: now }));
          for (const { epc, rowId } of probes.slice(sent, sent + Math.max(0, due))) {
            reads.push({ epc, readerId, at: now });
            sentAt.set(rowId, performance.now());
            sent += 1;
          }
          void own.send(own.pack(reads));
          await sleep(TICK_MS);
        }
        const seenAt = await watched.all([...sentAt.keys()]);
        const latencies = [...sentAt].map(([id, at]) => (seenAt.get(id) ?? Number.NaN) - at);
        latencies.sort((a, b) => a - b);
        const p99 = latencies[Math.ceil(latencies.length * 0.99) - 1] ?? 0;
        return { operations: index, milliseconds: performance.now() - started, p99 };
      },
    };
  };
  let bareProbes = 0;
  return {
    benchmark: {
      name: "last-seen",
      work: `from the record of a read to last_seen, 99th percentile, at ${perSecond} reads a second, no reorder window; baseline: produce, eachBatch, one transaction`,
      compared: "p99",
      goal: 4,
      ours: sideOf(
        topic,
        register.collection<{ _id: string }>("assets"),
        async (count) => (await tagAssets(bench, count)).map(({ epc, assetId }) => ({ epc, rowId: assetId })),
        { "tagging-ingest": service?.pid() ?? 0, register: bench.platform.services.register?.pid() ?? 0 },
      ),
      baseline: sideOf(
        bareTopic,
        client.db("bench_last_seen").collection<{ _id: string }>("assets"),
        async (count) =>
          Array.from({ length: count }, () => {
            bareProbes += 1;
            const epc = `FFFF${bareProbes.toString(16).toUpperCase().padStart(20, "0")}`;
            return { epc, rowId: epc };
          }),
        { consumer: bare.pid },
      ),
    },
    async stop() {
      await bare.stop();
      await topic.stop();
      await bareTopic.stop();
      await client.close();
      await service?.restart();
    },
  };
}

/**
 * The reads a second that the worker processes as they come. From a large backlog it processes more, since then a chunk
 * has many reads of the same tag. The second half of the time is measured.
 */
async function fullRate(
  topic: ReadsTopic,
  read: Awaited<ReturnType<typeof knownTags>>,
  stored: () => Promise<number>,
): Promise<number> {
  const before = await stored();
  const started = performance.now();
  let sent = 0;
  let half: { at: number; done: number } | undefined;
  for (;;) {
    const [at, done] = [performance.now() - started, (await stored()) - before];
    if (at > CALIBRATION_MS / 2) half ??= { at, done };
    if (at > CALIBRATION_MS && half !== undefined) return ((done - half.done) / (at - half.at)) * 1000;
    if (sent - done > WAITING - SENT_TOGETHER) await sleep(5);
    else {
      const now = Date.now();
      const reads = Array.from({ length: SENT_TOGETHER }, () => ({ ...read(sent++, 0), at: now }));
      await topic.send(topic.pack(reads));
    }
  }
}

/** Notes when rows are changed to have `lastSeen`. */
async function watch(rows: Collection) {
  const seenAt = new Map<string, number>();
  const fields = { "updateDescription.updatedFields.lastSeen": { $exists: true } };
  const stream = rows.watch([{ $match: { $or: [fields, { operationType: "insert" }] } }]);
  const changes = stream.stream();
  changes.on("data", ({ documentKey }: { documentKey?: { _id: string } }) => {
    if (documentKey !== undefined && !seenAt.has(documentKey._id)) {
      seenAt.set(documentKey._id, performance.now());
    }
  });
  let failed: unknown;
  // Closing it ends its cursor under a request, which is an error too.
  changes.on("error", (error) => {
    failed = error;
  });
  // The stream begins when its cursor is open.
  await rows.estimatedDocumentCount();
  await sleep(500);
  return {
    async all(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      while (!ids.every((id) => seenAt.has(id))) {
        if (failed !== undefined) throw failed;
        await sleep(20);
      }
      await stream.close();
      return seenAt;
    },
  };
}
