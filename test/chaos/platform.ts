import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Demo } from "@asset-register/harness/client";
import {
  findFreePort,
  type Platform,
  type PlatformOptions,
  type PlatformProcess,
  type Progress,
  type RunningServers,
  seedDemo,
  startPlatform,
  startPlatformProcess,
  startServers,
} from "@asset-register/local";
import { LIMITS } from "../bench/platform.ts";
import type { Target } from "./options.ts";

type Victim = { kill(): Promise<void>; restart(): Promise<void> };

export type ChaosPlatform = {
  demo: Demo;
  /** The settings of tagging-ingest: its servers, database and topics. */
  taggingEnv: PlatformProcess["env"];
  /** @throws Error for a server that this run did not start */
  victim(target: Target): Victim;
  stop(): Promise<void>;
};

type Given = {
  progress: Progress;
  /** Shared servers, which can't be killed. Default: servers of its own. */
  servers?: PlatformOptions["servers"];
  topicPrefix?: string;
  settings?: Record<string, string>;
};

export const SETTINGS = {
  ...LIMITS,
  // A killed Redis is noticed at once, and a slow one only on a very busy machine.
  REDIS_TIMEOUT: "1s",
  // On a busy machine the gateway must not look overloaded.
  MAX_EVENT_LOOP_DELAY: "1h",
  LOG_LEVEL: "warn",
};
const SERVERS = { broker: "kafka", redis: "redis", mongo: "mongo" } as const;

/** Starts the platform on temporary data. tagging-ingest is two processes: one ingests, the other is the worker. */
export async function startChaosPlatform(given: Given): Promise<ChaosPlatform> {
  const { progress, servers, topicPrefix, settings } = given;
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-chaos-"));
  const own =
    servers === undefined ? await startServers({ dataDirectory, progress, source: "private" }) : undefined;
  const running: { stop(): Promise<void> }[] = own === undefined ? [] : [own];
  const stop = async (): Promise<void> => {
    for (const part of running.splice(0).toReversed()) await part.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const platform = await startPlatform({
      servers: servers ?? requireServers(own),
      dataDirectory,
      progress,
      settings: { ...SETTINGS, ...settings },
      ...(topicPrefix !== undefined && { topicPrefix }),
    });
    running.push(platform);
    const ingest = taggingOf(platform);
    const [worker] = await Promise.all([
      startWorker(ingest, dataDirectory, progress),
      ingest.restart({ ROLES: "api" }),
    ]);
    running.push(worker);
    const env = platform.services.identity?.env ?? {};
    const demo = await seedDemo({ env, gatewayUrl: platform.baseUrl, dataDirectory, progress });
    return { demo, taggingEnv: ingest.env, victim: (target) => victimOf(target, ingest, worker, own), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function victimOf(
  target: Target,
  ingest: PlatformProcess,
  worker: PlatformProcess,
  own: RunningServers | undefined,
): Victim {
  if (target === "ingest") return { kill: ingest.kill, restart: () => ingest.restart({ ROLES: "api" }) };
  return target === "worker" ? worker : requireServers(own)[SERVERS[target]];
}

function requireServers(own: RunningServers | undefined): RunningServers {
  if (own === undefined) throw new Error("Shared servers can't be killed.");
  return own;
}

function taggingOf(platform: Platform): PlatformProcess {
  const service = platform.services["tagging-ingest"];
  if (service === undefined) throw new Error("tagging-ingest is not running");
  return service;
}

async function startWorker(
  { env }: PlatformProcess,
  dataDirectory: string,
  progress: Progress,
): Promise<PlatformProcess> {
  const [grpc, healthAddress] = [`127.0.0.1:${await findFreePort()}`, `127.0.0.1:${await findFreePort()}`];
  const worker = await startPlatformProcess({
    name: "tagging-worker",
    entry: path.join(import.meta.dirname, "../../services/tagging-ingest/src/main.ts"),
    env: { ...env, ROLES: "worker,relay", GRPC_ADDRESS: grpc, HEALTH_ADDRESS: healthAddress },
    ...{ healthAddress, dataDirectory, progress },
  });
  await worker.ready();
  return worker;
}
