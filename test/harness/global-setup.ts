import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { CHEAP_JAVA, killRecordedProcesses, startServers } from "@asset-register/local";
import type { TestProject } from "vitest/node";

/**
 * Starts MongoDB, Kafka and Redis once for the whole run. The run and its tests write only to one temporary folder,
 * which is removed at the end.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(path.join(tmpdir(), "asset-register-test-"));
  process.env.TMPDIR = directory;
  process.env.NODE_COMPILE_CACHE = path.join(directory, "compile-cache");
  process.env.JDK_JAVA_OPTIONS = CHEAP_JAVA;
  process.once("exit", () => clear(directory));
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(name, () => process.exit(128 + constants.signals[name]));
  }
  const servers = await startServers({
    dataDirectory: path.join(directory, "servers"),
    progress: (line) => process.stdout.write(`${line}\n`),
  });
  project.provide("servers", {
    mongoUrl: servers.mongo.url,
    kafkaBrokers: servers.kafka.url.split(","),
    redisUrl: servers.redis.url,
  });
  return servers.stop;
}

/** Kills all processes that the run or its tests started. Tests of an interrupted run can't do this themselves. */
function clear(directory: string): void {
  for (const entry of readdirSync(directory)) killRecordedProcesses(path.join(directory, entry));
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
}
