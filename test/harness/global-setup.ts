import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { listenForEnd, startServers } from "@asset-register/local";
import type { TestProject } from "vitest/node";

/** As shells have it after Ctrl-C. */
const INTERRUPTED = 130;

/** Starts MongoDB, Kafka and Redis once for the whole run, on data that goes with it, also when it is interrupted. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-test-"));
  const starting = startServers({
    dataDirectory,
    progress: (line) => process.stdout.write(`${line}\n`),
  });
  const stop = async (): Promise<void> => {
    await (await starting).stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  void listenForEnd(() => process.exit(INTERRUPTED))
    .then(stop)
    .finally(() => process.exit(INTERRUPTED));
  const servers = await starting;
  project.provide("servers", {
    mongoUrl: servers.mongo.url,
    kafkaBrokers: servers.kafka.url.split(","),
    redisUrl: servers.redis.url,
  });
  return stop;
}
