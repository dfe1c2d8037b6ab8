import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  connectKafka,
  createOutbox,
  createOutboxWake,
  createRelay,
  createTopics,
} from "@asset-register/events";
import { startServers } from "@asset-register/local";
import { connectMongo, migrate } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { createNews } from "@asset-register/redis";
import { createLogger, createMetrics } from "@asset-register/runtime";
import mongoose from "mongoose";
import { cpuTime } from "./cpu.ts";
import { serverPids } from "./platform.ts";
import { eventsOfMove } from "./relay.ts";

/**
 * What the processes of a service cost MongoDB by their relays: one sends the rows of each shard, the others wait for its
 * lease. They are idle, then one of them writes. All relays are in this process, each with connections of its own.
 *
 *     node test/bench/idle-processes.ts --processes 1,8,40 --seconds 20
 */
const { values } = parseArgs({
  options: {
    processes: { type: "string", default: "1,8,40" },
    seconds: { type: "string", default: "20" },
    writes: { type: "string", default: "20" },
  },
});
const [SECONDS, WRITES_PER_SECOND] = [Number(values.seconds), Number(values.writes)];
/** Until all leases are taken, and no relay looks for rows as often as after a write. */
const SETTLING_MS = 20_000;

const logger = createLogger({ service: "bench", level: "error" });
const published = [topics.asset, topics.movement, topics.audit];
const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-idle-"));
const progress = (line: string) => void process.stderr.write(`${line}\n`);
const servers = await startServers({ dataDirectory, progress });
const { mongo: pid = 0 } = serverPids(dataDirectory);
const client = await mongoose.createConnection(servers.mongo.url).asPromise();

/** The requests that MongoDB has answered. */
async function requests(): Promise<number> {
  const { network } = await client.getClient().db("admin").command({ serverStatus: 1 });
  return Number(network.numRequests);
}

/** MongoDB's CPU time in microseconds, and its requests, during `work`. */
async function during(work: () => Promise<unknown>) {
  const [cpu, count, started] = [cpuTime(pid) ?? 0, await requests(), performance.now()];
  await work();
  const seconds = (performance.now() - started) / 1_000;
  return { us: (cpuTime(pid) ?? 0) - cpu, requests: (await requests()) - count, seconds };
}

async function startProcess(database: string, prefix: string) {
  const metrics = createMetrics({ service: "bench" });
  const mongo = await connectMongo({ url: servers.mongo.url, database, production: false, logger, metrics });
  const options = { url: servers.redis.url, secureContext: undefined, timeoutMs: 5_000, logger };
  const news = createNews(`bench:${database}`, options, () => {});
  const wake = createOutboxWake(news);
  const outbox = createOutbox(mongo, { wake });
  await migrate(mongo, [outbox.migration], logger);
  const kafka = connectKafka({
    brokers: servers.kafka.url.split(","),
    clientId: "bench",
    topicPrefix: prefix,
    logger,
  });
  const relay = createRelay({
    ...{ mongo, kafka, service: "bench", wake, logger, metrics, topics: published, production: false },
  });
  news.start();
  await relay.start();
  return {
    mongo,
    write: () => mongo.transaction({}, (session) => outbox.add(session, ...eventsOfMove("wsp_bench"))),
    async stop() {
      await relay.stop();
      news.stop();
      await mongo.close();
    },
  };
}

async function measure(count: number): Promise<string> {
  const [database, prefix] = [`bench_idle_${count}`, `bench-idle-${count}.`];
  const admin = connectKafka({
    ...{ brokers: servers.kafka.url.split(","), clientId: "bench", topicPrefix: prefix, logger },
  }).kafka.admin();
  await admin.connect();
  await createTopics(admin, published, { prefix });
  await admin.disconnect();
  const first = await startProcess(database, prefix);
  const others = await Promise.all(Array.from({ length: count - 1 }, () => startProcess(database, prefix)));
  await sleep(SETTLING_MS);
  const idle = await during(() => sleep(SECONDS * 1_000));
  const writes = SECONDS * WRITES_PER_SECOND;
  const busy = await during(async () => {
    for (let write = 0; write < writes; write += 1) {
      await Promise.all([first.write(), sleep(1_000 / WRITES_PER_SECOND)]);
    }
  });
  await Promise.all([first, ...others].map((one) => one.stop()));
  const ofIdle = (idle.us / idle.seconds) * busy.seconds;
  return [
    `${count} processes: idle ${((100 * idle.us) / 1e6 / idle.seconds).toFixed(1)}% of a core,`,
    `${(idle.requests / idle.seconds).toFixed(1)} requests a second;`,
    `a write ${(busy.us / writes / 1_000).toFixed(2)} ms, ${((busy.us - ofIdle) / writes / 1_000).toFixed(2)} ms without the idle cost,`,
    `${(busy.requests / writes).toFixed(1)} requests; load ${loadavg()[0]?.toFixed(1)}`,
  ].join(" ");
}

try {
  for (const count of values.processes.split(",").map(Number)) {
    process.stdout.write(`${await measure(count)}\n`);
  }
} finally {
  await client.close();
  await servers.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
process.exit();
