import { type Api, createApi } from "@asset-register/harness/client";
import type { Implementation } from "@asset-register/rpc";
import { loadConfig } from "@asset-register/runtime";
import { buildApp } from "../src/app.ts";
import { configSchema } from "../src/config.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { freshKeys } from "./keys.ts";
import { startUpstream } from "./upstreams.ts";

export type TestGateway = {
  url: string;
  accounts: Accounts;
  /** Clients of each surface; without a credential nobody in particular. */
  programs(credential?: string): Api;
  people(credential?: string): Api;
  stop(): Promise<void>;
};

/** Where nobody listens. */
const NOWHERE = "127.0.0.1:1";

/** A gateway in front of what the test implements; what it does not is away. */
export async function startGateway(
  redisUrl: string,
  implementations: Implementation[] = [],
  settings: Record<string, string> = {},
): Promise<TestGateway> {
  const keys = freshKeys();
  const accounts = createAccounts();
  const upstream = await startUpstream(keys, [accounts.implementation, ...implementations]);
  const { privateKeyPem, trustedKeys } = keys.of("gateway");
  const gateway = await buildApp(
    loadConfig(configSchema, {
      LOG_LEVEL: "silent",
      HTTP_ADDRESS: "127.0.0.1:0",
      HEALTH_ADDRESS: "127.0.0.1:0",
      REDIS_URL: redisUrl,
      SERVICE_PRIVATE_KEY: privateKeyPem,
      TRUSTED_KEYS: JSON.stringify(trustedKeys),
      IDENTITY_ADDRESS: upstream.address,
      REGISTER_ADDRESS: upstream.address,
      TAGGING_INGEST_ADDRESS: upstream.address,
      NOTIFICATION_ADDRESS: NOWHERE,
      ...settings,
    }),
  );
  await gateway.start();
  return {
    url: gateway.url(),
    accounts,
    programs: (credential) => createApi(`${gateway.url()}/v1`, credential),
    people: (credential) => createApi(`${gateway.url()}/asset_manager_api`, credential),
    async stop() {
      await gateway.stop();
      await upstream.stop();
    },
  };
}
