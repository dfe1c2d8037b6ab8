import { testKeyring, testKeys } from "@asset-register/harness";
import { createRpcClient, createServiceIdentity, type Principal, REPLAYED } from "@asset-register/rpc";
import { createMetrics } from "@asset-register/runtime";
import { silent } from "./connect.ts";
import { KeyedService, type KeyedServiceSettings } from "./keyed-service.ts";

const keys = testKeys("gateway", "keyed");
const { gateway = "", keyed = "" } = keys.privateKeyPem;
const keyring = testKeyring();

export function keyedSettings(mongoUrl: string, database: string): KeyedServiceSettings {
  return { mongoUrl, database, privateKeyPem: keyed, trustedKeys: keys.trustedKeys, keyring };
}

export type Answer = { id?: string; secret?: string; error?: string; replayed: boolean };

export type Ask = { name: string; idempotencyKey?: string; user?: string; workspaceId?: string };

/** Creates a client that calls the service like the gateway does for a signed-in user. */
export function keyedClient(port: number): { create(ask: Ask): Promise<Answer>; close(): void } {
  const client = createRpcClient(KeyedService, {
    address: `127.0.0.1:${port}`,
    identity: createServiceIdentity({
      name: "gateway",
      privateKeyPem: gateway,
      trustedKeys: keys.trustedKeys,
    }),
    deadlineMs: 20_000,
    metrics: createMetrics({ service: "test" }),
    logger: silent,
  });
  return {
    close: () => client.close(),
    async create({ name, idempotencyKey, user = "usr_1", workspaceId = "wsp_1" }) {
      const principal: Principal = {
        kind: "user",
        workspaceId,
        id: user,
        sessionId: "ses_1",
        deviceUuid: "dev",
        capabilities: ["admin"],
      };
      let replayed = false;
      const onTrailer = (trailer: { get(name: string): string | undefined }) => {
        replayed = trailer.get(REPLAYED) === "true";
      };
      try {
        const { apiKey, key } = await client.createApiKey({ name }, { principal, idempotencyKey, onTrailer });
        return { id: apiKey?.id ?? "", secret: key, replayed };
      } catch (error) {
        const text =
          error instanceof Error && "code" in error ? `${String(error.code)}: ${error.message}` : "";
        return { error: text, replayed };
      }
    },
  };
}
