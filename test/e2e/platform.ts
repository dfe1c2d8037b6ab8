import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eventually, freshPrefix, testServers } from "@asset-register/harness";
import type { Demo } from "@asset-register/harness/client";
import {
  type NameServer,
  startNameServer,
  startProvider,
  type TestProvider,
} from "@asset-register/harness/sso";
import { buildConsole, type Platform, seedDemo, startPlatform } from "@asset-register/local";
import { startMailServer } from "@asset-register/mail/test";
import mongoose from "mongoose";
import { afterAll, expect } from "vitest";

/** Many processes stop at once. */
const STOP_TIMEOUT_MS = 900_000;

export type Mails = Awaited<ReturnType<typeof startMailServer>>;
/** The servers that single sign-on needs outside of the platform: an OpenID provider and a name server. */
export type Outside = { provider: TestProvider; names: NameServer };
type Started = {
  platform: Platform;
  mails: Mails;
  outside: Outside;
  dataDirectory: string;
  stop(): Promise<void>;
};

/**
 * Starts the whole platform, each service in a process of its own. It uses the servers of the test run, with topics and
 * databases of its own.
 */
async function start(): Promise<Started> {
  const { mongoUrl, kafkaBrokers, redisUrl } = testServers();
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-e2e-"));
  const mails = await startMailServer();
  const [provider, names] = await Promise.all([startProvider(), startNameServer()]);
  const platform = await startPlatform({
    servers: {
      mongo: { url: mongoUrl },
      kafka: { url: kafkaBrokers.join(",") },
      redis: { url: redisUrl },
    },
    dataDirectory,
    consoleDirectory: await buildConsole(() => {}),
    topicPrefix: freshPrefix(),
    settings: {
      // On a busy test machine, Redis and services must not look unavailable, and the gateway must not look overloaded.
      ...{ REDIS_TIMEOUT: "5s", UPSTREAM_DEADLINE: "60s", NAMES_DEADLINE: "60s", MAX_EVENT_LOOP_DELAY: "1h" },
      // Tests of every route send more requests than any plan allows.
      ...{ RATE_LIMIT_ENTERPRISE: "1000000/1000000", RATE_LIMIT_SESSION: "1000000/1000000" },
      // Public routes are limited by client address, which the tests of every route choose.
      TRUSTED_PROXIES: "127.0.0.1",
      // The other tests are one client network.
      ...{ RATE_LIMIT_REFUSED: "1000000/1000000", MAX_WAITING_BODIES_PER_NETWORK: "1000" },
      ...{ SSO_PRIVATE_ISSUERS: provider.issuer, SSO_DNS_SERVERS: names.address },
      // Tests do not wait a minute for a sweep.
      ALERT_SWEEP_INTERVAL: "1s",
      ...{ SMTP_URL: mails.url, MAIL_FROM: "register@example.com" },
    },
    progress: () => {},
  });
  const stop = async (): Promise<void> => {
    await platform.stop();
    await Promise.all([mails.stop(), provider.stop(), names.stop()]);
    await rm(dataDirectory, { recursive: true, force: true });
  };
  return { platform, mails, outside: { provider, names }, dataDirectory, stop };
}

let shared: Promise<Started> | undefined;
let joined = 0;

/**
 * The platform that all tests share which need a whole one, since its start takes half a minute of CPU time, and it uses
 * 0.2 of a core while it is idle. Each caller gets demo workspaces of its own.
 */
export async function joinPlatform(): Promise<{
  demo: Demo;
  platform: Platform;
  mails: Mails;
  outside: Outside;
}> {
  if (shared === undefined) {
    shared = start();
    // Registered before the hooks of the tests, so that it runs after them.
    afterAll(async () => (await shared)?.stop(), STOP_TIMEOUT_MS);
  }
  joined += 1;
  const tag = `d${joined}`;
  const { platform, mails, outside, dataDirectory } = await shared;
  const demo = await seedDemo({
    env: platform.services.identity?.env ?? {},
    gatewayUrl: platform.baseUrl,
    dataDirectory: path.join(dataDirectory, tag),
    progress: () => {},
    tag,
  });
  await allKnow(platform, demo.workspace_id, demo.other.workspace_id);
  return { demo, platform, mails, outside };
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
