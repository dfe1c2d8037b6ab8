import { findFreePort, type TestKeys, testKeys, testServers } from "@asset-register/harness";
import { type Api, createApi } from "@asset-register/harness/client";
import type { Implementation } from "@asset-register/rpc";
import { type Logger, loadConfig } from "@asset-register/runtime";
import { type FakeService, startFakeService } from "@asset-register/service-harness";
import { buildApp, type Gateway } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { type Accounts, createAccounts } from "./accounts.ts";

export type TestGateway = {
  url: string;
  routes: Gateway["routes"];
  accounts: Accounts;
  /** A client of surface A with an API key, or without a credential. */
  surfaceA(credential?: string): Api;
  /** A client of surface B with an access token, or without a credential. */
  surfaceB(credential?: string): Api;
  /** Stops the fake services, identity included. */
  stopUpstream(): Promise<void>;
  /** The value of a metric with these labels. */
  metric(name: string, labels: Record<string, string>): Promise<number>;
  stop(): Promise<void>;
};

/** An address on which nothing listens. */
const UNAVAILABLE = "127.0.0.1:1";

export type TestGatewayOptions = {
  /** The RPCs that the fake services have. All of them run in one process. */
  implementations?: Implementation[];
  /** The RPCs of the register, if it has to be a process of its own. */
  register?: Implementation[];
  /** The RPCs of the service notification. Without them it is unavailable. */
  notification?: Implementation[];
  settings?: Record<string, string>;
  redisUrl?: string;
  /** Keys of "gateway" and "upstream", for tests that start fake services themselves. New ones by default. */
  keys?: TestKeys;
  logger?: Logger;
};

/** The environment of a gateway in front of these services, without the addresses on which it listens. */
export function gatewaySettings(
  keys: TestKeys,
  upstream: FakeService,
  register: FakeService,
  redisUrl = testServers().redisUrl,
): Record<string, string> {
  return {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    REDIS_URL: redisUrl,
    // A slow test machine must look neither like an unavailable Redis or service nor like an overload.
    REDIS_TIMEOUT: "20s",
    UPSTREAM_DEADLINE: "60s",
    NAMES_DEADLINE: "60s",
    MAX_EVENT_LOOP_DELAY: "1h",
    // All tests of a machine are one client network, and share its count in Redis.
    RATE_LIMIT_REFUSED: "1000000/1000000",
    SERVICE_PRIVATE_KEY: keys.privateKeyPem.gateway ?? "",
    TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
    IDENTITY_ADDRESS: upstream.address,
    REGISTER_ADDRESS: register.address,
    TAGGING_INGEST_ADDRESS: upstream.address,
    NOTIFICATION_ADDRESS: UNAVAILABLE,
    STOCKTAKE_ADDRESS: UNAVAILABLE,
    MAINTENANCE_ADDRESS: UNAVAILABLE,
    FINANCE_ADDRESS: UNAVAILABLE,
  };
}

/** Starts a gateway in front of fake services. Stocktake, maintenance and finance are unavailable. */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { implementations = [], register, notification, settings = {}, redisUrl, logger } = options;
  const { keys = testKeys("gateway", "upstream") } = options;
  const accounts = createAccounts();
  const upstream = await startFakeService("upstream", keys, [accounts.implementation, ...implementations]);
  const registerUpstream =
    register === undefined ? upstream : await startFakeService("upstream", keys, register);
  const notifying = notification && (await startFakeService("upstream", keys, notification));
  const healthPort = await findFreePort();
  const gateway = await buildApp(
    loadConfig(configSchema, {
      ...gatewaySettings(keys, upstream, registerUpstream, redisUrl),
      ...(notifying && { NOTIFICATION_ADDRESS: notifying.address }),
      HTTP_ADDRESS: "127.0.0.1:0",
      HEALTH_ADDRESS: `127.0.0.1:${healthPort}`,
      ...settings,
    }),
    logger === undefined ? {} : { logger },
  );
  await gateway.start();
  return {
    url: gateway.url(),
    routes: gateway.routes,
    accounts,
    surfaceA: (credential) => createApi(`${gateway.url()}/v1`, credential),
    surfaceB: (credential) => createApi(`${gateway.url()}/asset_manager_api`, credential),
    stopUpstream: () => upstream.stop(),
    async metric(name, labels) {
      const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
      const parts = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const line = text
        .split("\n")
        .find((one) => one.startsWith(`${name}{`) && parts.every((part) => one.includes(part)));
      return Number(line?.split(" ").at(-1));
    },
    async stop() {
      await gateway.stop();
      await upstream.stop();
      if (registerUpstream !== upstream) await registerUpstream.stop();
      await notifying?.stop();
    },
  };
}
