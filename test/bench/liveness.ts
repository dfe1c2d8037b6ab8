import { createOutbox } from "@asset-register/events";
import { connectMongo } from "@asset-register/mongo";
import { createRedis } from "@asset-register/redis";
import { createLogger, createMetrics } from "@asset-register/runtime";
import mongoose from "mongoose";
import type { Context } from "../../services/tagging-ingest/src/context.ts";
import { createReaderActivity } from "../../services/tagging-ingest/src/operations/readers/reader-activity.ts";
import { createReaderHours } from "../../services/tagging-ingest/src/store/readers/reader-hours.ts";
import { createReaderLiveness } from "../../services/tagging-ingest/src/store/readers/reader-liveness.ts";
import { createReaderStore } from "../../services/tagging-ingest/src/store/readers/readers.ts";
import { createSharedActivity } from "../../services/tagging-ingest/src/store/readers/shared-activity.ts";
import type { Prepared, Side } from "./benchmark.ts";
import type { BenchPlatform } from "./platform.ts";
import { createReaders, runApiRoleOnly } from "./readers.ts";

const READERS = 10_000;
const MINUTE_MS = 60_000;

/**
 * A round in which each reader was heard in a new minute: its row, its counters and its event. It runs in this process,
 * because otherwise ten thousand requests would cost more than what is measured.
 */
export async function liveness(bench: BenchPlatform): Promise<Prepared> {
  const readers = await createReaders(bench, READERS);
  // Without its relay, whose cost is not that of a round.
  const undo = await runApiRoleOnly(bench);
  const env = bench.platform.services["tagging-ingest"]?.env ?? {};
  const logger = createLogger({ service: "bench", level: "error" });
  const mongo = await connectMongo({
    ...{ url: bench.mongoUrl, database: env.MONGO_DATABASE ?? "", production: false, logger },
    metrics: createMetrics({ service: "bench" }),
  });
  const client = await new mongoose.mongo.MongoClient(bench.mongoUrl, {
    writeConcern: { w: "majority", journal: true },
  }).connect();
  const rows = client.db("bench_liveness").collection<{ _id: string; lastSeenAt: Date }>("readers");
  await rows.insertMany(readers.map(({ id }) => ({ _id: id, lastSeenAt: new Date() })));

  const redis = createRedis({
    ...{ url: env.REDIS_URL ?? "", timeoutMs: 5_000, logger },
  });
  await redis.connect();
  let clock = Date.now();
  const activity = createReaderActivity(
    {
      ...{ mongo, outbox: createOutbox(mongo), logger, now: () => new Date(clock) },
      stores: {
        readers: createReaderStore(mongo),
        readerHours: createReaderHours(mongo),
        readerLiveness: createReaderLiveness(mongo),
        sharedActivity: createSharedActivity(redis),
      },
    } as Context,
    { storeEveryMs: 0 },
  );
  const workspaceId = bench.demo.workspace_id;
  const heard = async (): Promise<void> => {
    clock += MINUTE_MS;
    const at = new Date(clock);
    for (const { id: readerId } of readers) {
      activity.note({ workspaceId, readerId, at, accepted: 1, rejected: 0, skewMs: 0 });
    }
    await activity.stop();
  };
  const bare = async (): Promise<void> => {
    clock += MINUTE_MS;
    const update = { $set: { lastSeenAt: new Date(clock) } };
    await rows.bulkWrite(
      readers.map(({ id }) => ({ updateOne: { filter: { _id: id }, update } })),
      { ordered: false },
    );
  };
  return {
    benchmark: {
      name: "liveness",
      work: `${READERS} readers heard in a new minute: rows, counters, events in the outbox; baseline: one bulkWrite of ${READERS} updates`,
      goal: 0.33,
      ours: sideOf(bench, heard),
      baseline: sideOf(bench, bare),
    },
    async stop() {
      await undo();
      redis.disconnect();
      await mongo.close();
      await client.close();
    },
  };
}

function sideOf({ serverPids }: BenchPlatform, once: () => Promise<void>): Side {
  return {
    processes: () => ({ service: process.pid, ...serverPids }),
    async run(milliseconds) {
      const started = performance.now();
      let rounds = 0;
      while (rounds === 0 || performance.now() - started < milliseconds) {
        await once();
        rounds += 1;
      }
      return { operations: rounds * READERS, milliseconds: performance.now() - started };
    },
  };
}
