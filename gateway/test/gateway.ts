import { testServers } from "@asset-register/harness";
import { type Api, createApi } from "@asset-register/harness/client";
import type { Implementation } from "@asset-register/rpc";
import { type Logger, loadConfig } from "@asset-register/runtime";
import { buildApp, type Gateway } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { freshKeys, type Keys } from "./keys.ts";
import { startUpstream, type Upstream } from "./upstreams.ts";

export type TestGateway = {
  url: string;
  routes: Gateway["routes"];
  accounts: Accounts;
  /** Clients of each surface; without a credential nobody in particular. */
  programs(credential?: string): Api;
  people(credential?: string): Api;
  /** Ends what stands behind it, identity too. */
  stopUpstream(): Promise<void>;
  stop(): Promise<void>;
};

/** Where nobody listens. */
const NOWHERE = "127.0.0.1:1";

export type TestGatewayOptions = {
  /** Behind it, in one process. */
  implementations?: Implementation[];
  /** The register, when it is to be a process of its own. */
  register?: Implementation[];
  settings?: Record<string, string>;
  redisUrl?: string;
  /** Fresh ones, unless the test starts upstreams of its own. */
  keys?: Keys;
  logger?: Logger;
};

/** The environment of a gateway in front of these, but for where it listens. */
export function gatewaySettings(
  keys: Keys,
  upstream: Upstream,
  register: Upstream,
  redisUrl = testServers().redisUrl,
): Record<string, string> {
  const { privateKeyPem, trustedKeys } = keys.of("gateway");
  return {
    LOG_LEVEL: "silent",
    REDIS_URL: redisUrl,
    // A busy machine is no fault of Redis, which tests of faults kill, and no overload, which tests of load make.
    REDIS_TIMEOUT: "20s",
    MAX_EVENT_LOOP_DELAY: "1h",
    SERVICE_PRIVATE_KEY: privateKeyPem,
    TRUSTED_KEYS: JSON.stringify(trustedKeys),
    IDENTITY_ADDRESS: upstream.address,
    REGISTER_ADDRESS: register.address,
    TAGGING_INGEST_ADDRESS: upstream.address,
    NOTIFICATION_ADDRESS: NOWHERE,
  };
}

/** A gateway in front of what the test implements; what it does not is away. */
export async function startGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { implementations = [], register, settings = {}, redisUrl, keys = freshKeys(), logger } = options;
  const accounts = createAccounts();
  const upstream = await startUpstream(keys, [accounts.implementation, ...implementations]);
  const registerUpstream = register === undefined ? upstream : await startUpstream(keys, register);
  const gateway = await buildApp(
    loadConfig(configSchema, {
      ...gatewaySettings(keys, upstream, registerUpstream, redisUrl),
      HTTP_ADDRESS: "127.0.0.1:0",
      HEALTH_ADDRESS: "127.0.0.1:0",
      ...settings,
    }),
    logger === undefined ? {} : { logger },
  );
  await gateway.start();
  return {
    url: gateway.url(),
    routes: gateway.routes,
    accounts,
    programs: (credential) => createApi(`${gateway.url()}/v1`, credential),
    people: (credential) => createApi(`${gateway.url()}/asset_manager_api`, credential),
    stopUpstream: () => upstream.stop(),
    async stop() {
      await gateway.stop();
      await upstream.stop();
      if (registerUpstream !== upstream) await registerUpstream.stop();
    },
  };
}
