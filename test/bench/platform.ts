import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Api, createApi, type Demo } from "@asset-register/harness/client";
import { type Platform, seedDemo, startPlatform, startServers } from "@asset-register/local";

export type BenchPlatform = {
  platform: Platform;
  demo: Demo;
  people: Api;
  programs: Api;
  kafkaBrokers: string[];
  topicPrefix: string;
  stop(): Promise<void>;
};

/** Limits are on, as in production, but so high that they refuse nothing. */
const LIMITS = {
  RATE_LIMIT_BUSINESS: "6000000/1000000",
  RATE_LIMIT_ENTERPRISE: "6000000/1000000",
  RATE_LIMIT_SESSION: "6000000/1000000",
  READER_REQUESTS_PER_SECOND: "1000000",
  // A busy machine is not a Redis that is away, for which signatures and limits are checked otherwise.
  REDIS_TIMEOUT: "5s",
};

/** The whole platform with its demo workspaces, on data that goes with it. */
export async function startBenchPlatform(progress: (line: string) => void): Promise<BenchPlatform> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-bench-"));
  const servers = await startServers({ dataDirectory, progress });
  const topicPrefix = `bench${Date.now()}.`;
  const stopServers = async (): Promise<void> => {
    await servers.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const settings = { ...LIMITS, LOG_LEVEL: "warn" };
    const platform = await startPlatform({ servers, dataDirectory, topicPrefix, settings, progress });
    const stop = async (): Promise<void> => {
      await platform.stop();
      await stopServers();
    };
    try {
      const env = platform.services.identity?.env ?? {};
      const demo = await seedDemo({ env, gatewayUrl: platform.baseUrl, dataDirectory, progress });
      const people = await signIn(demo);
      const programs = createApi(`${demo.base_url}/v1`, demo.api_key);
      return {
        platform,
        demo,
        people,
        programs,
        kafkaBrokers: servers.kafka.url.split(","),
        topicPrefix,
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

async function signIn({ base_url, email, password }: Demo): Promise<Api> {
  const base = `${base_url}/asset_manager_api`;
  const session = await createApi(base).post<{ access_token: string }>("/login", { email, password });
  return createApi(base, session.access_token);
}
