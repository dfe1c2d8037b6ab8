import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Api,
  createApi,
  createUserApi,
  type Demo,
  type ReaderKey,
} from "@asset-register/harness/client";
import { type Platform, seedDemo, startPlatform, startServers } from "@asset-register/local";

export type BenchPlatform = {
  platform: Platform;
  demo: Demo;
  userApi: Api;
  keyApi: Api;
  kafkaBrokers: string[];
  topicPrefix: string;
  mongoUrl: string;
  dataDirectory: string;
  /** The pids of the servers that this run has started. */
  serverPids: Record<string, number>;
  /** The readers that benchmarks have created, for the next ones. */
  readers: ReaderKey[];
  stop(): Promise<void>;
};

/** Limits are enabled, as in production, but so high that they refuse nothing. */
export const LIMITS = {
  RATE_LIMIT_BUSINESS: "6000000/1000000",
  RATE_LIMIT_ENTERPRISE: "6000000/1000000",
  RATE_LIMIT_SESSION: "6000000/1000000",
  READER_REQUESTS_PER_SECOND: "1000000",
  QUOTA_EVENTS_PER_SECOND: "10000000",
  QUOTA_EVENTS_PER_SECOND_ENTERPRISE: "10000000",
  // So that users can sign in from addresses of their own, which have limits.
  TRUSTED_PROXIES: "127.0.0.1/32",
  // On a busy machine Redis must not look unavailable, because signatures and limits are then checked differently.
  REDIS_TIMEOUT: "5s",
};

/**
 * Starts the whole platform with its demo workspaces. `stop` removes the data, unless they are in a directory that the
 * caller keeps.
 */
export async function startBenchPlatform(
  progress: (line: string) => void,
  { consoleDirectory, keptDirectory }: { consoleDirectory?: string; keptDirectory?: string } = {},
): Promise<BenchPlatform> {
  const dataDirectory = keptDirectory ?? (await mkdtemp(path.join(tmpdir(), "asset-register-bench-")));
  const servers = await startServers({ dataDirectory, progress });
  // The next run with the same data finds its topics and databases again.
  const topicPrefix = keptDirectory === undefined ? `bench${Date.now()}.` : "bench.";
  const stopServers = async (): Promise<void> => {
    await servers.stop();
    if (keptDirectory === undefined) await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const settings = { ...LIMITS, LOG_LEVEL: "warn" };
    const platform = await startPlatform({
      ...{ servers, dataDirectory, topicPrefix, settings, progress },
      ...(consoleDirectory !== undefined && { consoleDirectory }),
    });
    const stop = async (): Promise<void> => {
      await platform.stop();
      await stopServers();
    };
    try {
      const env = platform.services.identity?.env ?? {};
      const demo = await seedDemo({ env, gatewayUrl: platform.baseUrl, dataDirectory, progress });
      const userApi = createUserApi(demo.base_url, demo);
      const keyApi = createApi(`${demo.base_url}/v1`, demo.api_key);
      await knowWorkspace(userApi);
      return {
        platform,
        demo,
        userApi,
        keyApi,
        kafkaBrokers: servers.kafka.url.split(","),
        topicPrefix,
        mongoUrl: servers.mongo.url,
        dataDirectory,
        serverPids: serverPids(dataDirectory),
        readers: [],
        stop,
      };
    } catch (error) {
      await platform.stop();
      throw error;
    }
  } catch (error) {
    await stopServers();
    throw error;
  }
}

/** The pids of the servers that this run has started. */
export function serverPids(dataDirectory: string): Record<string, number> {
  const pids: Record<string, number> = {};
  for (const name of ["mongo", "kafka", "redis"]) {
    const file = path.join(dataDirectory, "run", `${name}.pid.json`);
    if (existsSync(file)) pids[name] = Number(JSON.parse(readFileSync(file, "utf8")).pid);
  }
  return pids;
}

/** Waits until the services that know workspaces by their events know that of the demo. */
async function knowWorkspace(userApi: Api): Promise<void> {
  for (const report of ["/reports/register", "/reports/depreciation", "/reports/maintenance"]) {
    while ((await userApi.call("GET", report)).status === 503) await sleep(100);
  }
}

/** The database of the register. */
export const registerDatabase = ({ platform }: Pick<BenchPlatform, "platform">): string =>
  platform.services.register?.env.MONGO_DATABASE ?? "";

/** A token of the demo user. It is valid for 10 minutes. */
export async function accessToken({ base_url, email, password }: Demo): Promise<string> {
  const api = createApi(`${base_url}/asset_manager_api`);
  return (await api.post<{ access_token: string }>("/login", { email, password })).access_token;
}
