import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eventually, freshPrefix, testServers } from "@asset-register/harness";
import type { Demo } from "@asset-register/harness/client";
import { type Platform, seedDemo, startPlatform } from "@asset-register/local";
import mongoose from "mongoose";
import { afterAll, expect } from "vitest";

/** Many processes stop at once. */
const STOP_TIMEOUT_MS = 900_000;

type Started = { platform: Platform; dataDirectory: string; stop(): Promise<void> };

/**
 * Starts the whole platform, each service in a process of its own. It uses the servers of the test run, with topics and
 * databases of its own.
 */
async function start(): Promise<Started> {
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
    settings: {
      // On a busy test machine, Redis and services must not look unavailable, and the gateway must not look overloaded.
      ...{ REDIS_TIMEOUT: "5s", UPSTREAM_DEADLINE: "60s", MAX_EVENT_LOOP_DELAY: "1h" },
      // Tests of every route send more requests than any plan allows.
      ...{ RATE_LIMIT_ENTERPRISE: "1000000/1000000", RATE_LIMIT_SESSION: "1000000/1000000" },
      // Public routes are limited by client address, which the tests of every route choose.
      TRUSTED_PROXIES: "127.0.0.1",
      // The other tests are one client network.
      ...{ RATE_LIMIT_REFUSED: "1000000/1000000", MAX_WAITING_BODIES_PER_NETWORK: "1000" },
      // Tests do not wait a minute for a sweep.
      ALERT_SWEEP_INTERVAL: "1s",
    },
    progress: () => {},
  });
  const stop = async (): Promise<void> => {
    await platform.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { platform, dataDirectory, stop };
}

let shared: Promise<Started> | undefined;
let joined = 0;

/**
 * The platform that all tests share which need a whole one, since its start takes half a minute of CPU time, and it uses
 * 0.4 of a core while it is idle. Each caller gets demo workspaces of its own.
 */
export async function joinPlatform(): Promise<{ demo: Demo; platform: Platform }> {
  if (shared === undefined) {
    shared = start();
    // Registered before the hooks of the tests, so that it runs after them.
    afterAll(async () => (await shared)?.stop(), STOP_TIMEOUT_MS);
  }
  joined += 1;
  const tag = `d${joined}`;
  const { platform, dataDirectory } = await shared;
  const demo = await seedDemo({
    env: platform.services.identity?.env ?? {},
    gatewayUrl: platform.baseUrl,
    dataDirectory: path.join(dataDirectory, tag),
    progress: () => {},
    tag,
  });
  await allKnow(platform, demo.workspace_id, demo.other.workspace_id);
  return { demo, platform };
}

/** Waits until the first event of new workspaces has reached every service. Before that, many requests are 503. */
async function allKnow({ services }: Platform, ...workspaceIds: string[]): Promise<void> {
  const connection = await mongoose.createConnection(testServers().mongoUrl).asPromise();
  try {
    await eventually(async () => {
      for (const [name, { env }] of Object.entries(services)) {
        const workspaces = connection
          .getClient()
          .db(env.MONGO_DATABASE)
          .collection<{ _id: string }>("workspaces");
        const known = await workspaces.countDocuments({ _id: { $in: workspaceIds } });
        expect(known, name).toBe(workspaceIds.length);
      }
    });
  } finally {
    await connection.close();
  }
}
