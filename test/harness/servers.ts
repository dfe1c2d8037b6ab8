import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type KafkaCluster,
  type RunningServer,
  type ServerName,
  startKafkaCluster,
  startServer,
} from "@asset-register/local";
import { inject } from "vitest";

export type { KafkaCluster };

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
export async function privateServer(name: ServerName): Promise<RunningServer> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), `asset-register-${name}-`));
  const server = await startServer(name, { dataDirectory, progress: () => {}, source: "private" });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/**
 * Starts Kafka brokers of its own for a test, as processes: node 1, which is the controller, and others that the test can
 * kill. `stop` also removes their data.
 * @throws LocalError if one of them can't be started
 */
export async function privateKafkaCluster(brokers: number): Promise<KafkaCluster> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-kafka-"));
  const cluster = await startKafkaCluster({ dataDirectory, brokers, controllers: 1, progress: () => {} });
  return {
    ...cluster,
    stop: async () => {
      await cluster.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
