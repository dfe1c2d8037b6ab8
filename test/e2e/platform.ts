import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freshPrefix, testServers } from "@asset-register/harness";
import type { Demo } from "@asset-register/harness/client";
import { type Platform, seedDemo, startPlatform } from "@asset-register/local";

/**
 * Starts the whole platform with its demo workspaces, each service in a process of its own. It uses the servers of the
 * test run, with topics and databases of its own.
 */
export async function startTestPlatform(
  settings: Record<string, string> = {},
): Promise<{ demo: Demo; platform: Platform; stop(): Promise<void> }> {
  const { mongoUrl, kafkaBrokers, redisUrl } = testServers();
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-e2e-"));
  const platform = await startPlatform({
    servers: {
      mongo: { url: mongoUrl },
      kafka: { url: kafkaBrokers.join(",") },
      redis: { url: redisUrl },
    },
    dataDirectory,
    topicPrefix: freshPrefix(),
    // On a busy test machine, Redis and services must not look unavailable, and the gateway must not look overloaded.
    settings: { REDIS_TIMEOUT: "5s", UPSTREAM_DEADLINE: "60s", MAX_EVENT_LOOP_DELAY: "1h", ...settings },
    progress: () => {},
  });
  const stop = async (): Promise<void> => {
    await platform.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const demo = await seedDemo({
      env: platform.services.identity?.env ?? {},
      gatewayUrl: platform.baseUrl,
      dataDirectory,
      progress: () => {},
    });
    return { demo, platform, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
