import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type ReaderKey, readerKey, signBatch, signEvent } from "@asset-register/harness/client";
import { CompressionTypes, Kafka, logLevel } from "kafkajs";
import type { Benchmark, Side } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";

const EVENTS_IN_BATCH = 100;
const TAGS = 5_000;

type Prepared = { benchmark: Benchmark; stop(): Promise<void> };

/** Accepting alone is measured: the worker that makes sightings of the reads has a benchmark of its own. */
async function acceptOnly({ platform, people }: BenchPlatform): Promise<() => Promise<void>> {
  const service = platform.services["tagging-ingest"];
  if (service === undefined) throw new Error("tagging-ingest is not running");
  const restart = async (settings?: Record<string, string>): Promise<void> => {
    await service.restart(settings);
    // The gateway connects anew by itself, and refuses calls until it has.
    await untilAnswered(() => people.get("/readers"));
  };
  await restart({ ROLES: "api" });
  return () => restart();
}

/** What an event goes through before its 202. */
const accepting = ({ platform }: BenchPlatform): Record<string, number> => ({
  gateway: platform.gateway.pid(),
  "tagging-ingest": platform.services["tagging-ingest"]?.pid() ?? 0,
});

async function untilAnswered(ask: () => Promise<unknown>, tries = 50): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      await ask();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await sleep(200);
    }
  }
}

async function registerReaders({ people }: BenchPlatform, count: number): Promise<ReaderKey[]> {
  const readers: ReaderKey[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id, secret } = await people.post<{ id: string; secret: string }>("/readers", {
      name: `Bench ${index}`,
      kind: "fixed_portal",
    });
    readers.push(readerKey(id, secret));
  }
  return readers;
}

/** Never the same event twice: the tag changes each time, and the clock moves on. */
function eventSource(): () => { epc: string; ts: string } {
  let index = 0;
  return () => {
    index += 1;
    const tag = createHash("md5")
      .update(String(index % TAGS))
      .digest("hex")
      .slice(0, 16);
    return { epc: `34740000${tag}`.toUpperCase(), ts: new Date(Date.now() - (index % 977)).toISOString() };
  };
}

function inTurn<T>(items: T[]): () => T {
  let index = 0;
  return () => {
    index = (index + 1) % items.length;
    const item = items[index];
    if (item === undefined) throw new Error("nothing to take turns");
    return item;
  };
}

/** Single signed events over HTTP, surface A. */
export async function ingestSingle(bench: BenchPlatform): Promise<Prepared> {
  const reader = inTurn(await registerReaders(bench, 50));
  const undo = await acceptOnly(bench);
  const bare = await startBaseline("baseline-event-route.ts");
  const event = eventSource();
  const load = (origin: string, servers: () => Record<string, number>): Side =>
    httpLoad({
      origin,
      processes: () => ({ client: process.pid, ...servers() }),
      inFlight: 256,
      expected: 202,
      next: () => ({
        method: "POST",
        path: "/v1/reader-events",
        headers: { "content-type": "application/json", authorization: `Bearer ${bench.demo.api_key}` },
        body: JSON.stringify(signEvent(reader(), event())),
      }),
    });
  return {
    benchmark: {
      name: "ingest-single",
      work: "POST /v1/reader-events, one signed event each, 256 in flight; baseline: bare Fastify route, same schema",
      goal: 0.4,
      ours: load(bench.demo.base_url, () => accepting(bench)),
      baseline: load(bare.origin, () => ({ route: bare.pid })),
    },
    stop: async () => {
      await bare.stop();
      await undo();
    },
  };
}

/** Signed batches of 100, surface B. */
export async function ingestBatch(bench: BenchPlatform): Promise<Prepared> {
  const reader = inTurn(await registerReaders(bench, 32));
  const undo = await acceptOnly(bench);
  const event = eventSource();
  const kafka = await bareKafka(bench, event);
  return {
    benchmark: {
      name: "ingest-batch",
      work: "events of signed batches of 100 to /ingest/events, 32 in flight; baseline: kafkajs, idempotent, acks=all, 100 records a send",
      goal: 3,
      baseline: kafka.side,
      ours: httpLoad({
        origin: bench.demo.base_url,
        processes: () => ({ client: process.pid, ...accepting(bench) }),
        inFlight: 32,
        perRequest: EVENTS_IN_BATCH,
        expected: 202,
        next: () => {
          const body = JSON.stringify({ events: Array.from({ length: EVENTS_IN_BATCH }, event) });
          return {
            method: "POST",
            path: "/asset_manager_api/ingest/events",
            headers: { "content-type": "application/json", ...signBatch(reader(), body) },
            body,
          };
        },
      }),
    },
    stop: async () => {
      await kafka.stop();
      await undo();
    },
  };
}

/** One record an event, one send in flight: what kafkajs keeps in order for an idempotent producer. */
async function bareKafka(
  { kafkaBrokers, topicPrefix }: BenchPlatform,
  event: () => { epc: string; ts: string },
): Promise<{ side: Side; stop(): Promise<void> }> {
  const kafka = new Kafka({ brokers: kafkaBrokers, logLevel: logLevel.ERROR });
  const topic = `${topicPrefix}baseline`;
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: [{ topic, numPartitions: 12, replicationFactor: 1 }],
  });
  await admin.disconnect();
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  let ready: { key: string; value: string }[][] = [];
  let perMillisecond = 0.2;
  const batch = () =>
    Array.from({ length: EVENTS_IN_BATCH }, () => {
      const { epc, ts } = event();
      return { key: epc, value: JSON.stringify({ epc, ts }) };
    });
  return {
    side: {
      processes: () => ({ client: process.pid }),
      prepare(milliseconds) {
        ready = Array.from({ length: Math.ceil(perMillisecond * milliseconds * 1.5) }, batch);
      },
      async run(milliseconds) {
        const started = performance.now();
        let sends = 0;
        while (performance.now() - started < milliseconds) {
          await producer.send({
            topic,
            messages: ready.pop() ?? batch(),
            acks: -1,
            compression: CompressionTypes.None,
          });
          sends += 1;
        }
        const taken = performance.now() - started;
        perMillisecond = Math.max(perMillisecond, sends / taken);
        ready = [];
        return { operations: sends * EVENTS_IN_BATCH, milliseconds: taken };
      },
    },
    stop: () => producer.disconnect(),
  };
}
