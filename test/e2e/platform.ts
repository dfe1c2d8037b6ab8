import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freshPrefix, testServers } from "@asset-register/harness";
import type { Demo } from "@asset-register/harness/client";
import { type Platform, seedDemo, startPlatform } from "@asset-register/local";

/** The whole platform, each part its own process, on the run's servers but with topics and databases of its own. */
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
    // A busy test machine is not a Redis or a service that is away, nor a gateway with too much to do.
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
