import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type KafkaCluster,
  type RedisCluster,
  type RedisSentinels,
  type RunningServer,
  type ServerName,
  startKafkaCluster,
  startRedisCluster,
  startRedisSentinels,
  startServer,
} from "@asset-register/local";
import { inject } from "vitest";

export type { KafkaCluster, RedisCluster, RedisSentinels };

export type TestServers = { mongoUrl: string; kafkaBrokers: string[]; redisUrl: string };

declare module "vitest" {
  interface ProvidedContext {
    servers: TestServers;
  }
}

/** The servers that the whole run shares. Tests isolate themselves by database, topic prefix and consumer group. */
export function testServers(): TestServers {
  return inject("servers");
}

const unique = (): string => `t${randomBytes(5).toString("hex")}`;

/** A database name that no other test uses. */
export function freshDatabase(): string {
  return unique();
}

/** A prefix for topics and consumer groups that no other test uses, for example "t0a1b2c3d4e.". */
export function freshPrefix(): string {
  return `${unique()}.`;
}

/**
 * Starts a server of its own for a test, which can kill, pause and restart it. `stop` also removes its data.
 * @throws LocalError if it can't be started
 */
export function privateServer(name: ServerName): Promise<RunningServer> {
  return inOwnFolder(name, (folder) => startServer(name, { ...folder, source: "private" }));
}

/**
 * Starts Kafka brokers of its own for a test, as processes: node 1, which is the controller, and others that the test can
 * kill. `stop` also removes their data.
 * @throws LocalError if one of them can't be started
 */
export function privateKafkaCluster(brokers: number): Promise<KafkaCluster> {
  return inOwnFolder("kafka", (folder) => startKafkaCluster({ ...folder, brokers, controllers: 1 }));
}

/**
 * Starts a Redis, its replica and three Sentinels of its own for a test, which can kill each of them. The Sentinels call a
 * Redis down after a second.
 * @throws LocalError if one of them can't be started
 */
export function privateRedisSentinels(): Promise<RedisSentinels> {
  return inOwnFolder("redis", (folder) => startRedisSentinels({ ...folder, downAfterMs: 1_000 }));
}

/**
 * Starts a cluster of three Redis nodes of its own for a test.
 * @throws LocalError if one of them can't be started
 */
export function privateRedisCluster(): Promise<RedisCluster> {
  return inOwnFolder("redis", (folder) => startRedisCluster({ ...folder, nodes: 3 }));
}

type Folder = { dataDirectory: string; progress: () => void };

/** Starts servers with a new folder for their data, which `stop` removes. */
async function inOwnFolder<T extends { stop(): Promise<void> }>(
  name: string,
  start: (folder: Folder) => Promise<T>,
): Promise<T> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), `asset-register-${name}-`));
  const started = await start({ dataDirectory, progress: () => {} });
  return {
    ...started,
    stop: async () => {
      await started.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
