import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startServers } from "@asset-register/local";
import type { TestProject } from "vitest/node";

/** Starts MongoDB, Kafka and Redis once for the whole run, on data that goes with it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-test-"));
  const servers = await startServers({
    dataDirectory,
    progress: (line) => process.stdout.write(`${line}\n`),
  });
  project.provide("servers", {
    mongoUrl: servers.mongo.url,
    kafkaBrokers: servers.kafka.url.split(","),
    redisUrl: servers.redis.url,
  });
  return async () => {
    await servers.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
}
