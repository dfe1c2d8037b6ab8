import { generateKeyPairSync } from "node:crypto";
import { loadConfig } from "@asset-register/runtime";
import { buildApp, configSchema, type Gateway } from "./app.ts";

const UNUSED_ADDRESS = "127.0.0.1:1";

/** Builds a gateway for its routes and OpenAPI documents. It reaches no server. Stop it at the end. */
export async function buildUnstarted(): Promise<Gateway> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const addresses = Object.keys(configSchema.in.shape).filter((name) => name.endsWith("_ADDRESS"));
  return buildApp(
    loadConfig(configSchema, {
      ...Object.fromEntries(addresses.map((name) => [name, UNUSED_ADDRESS])),
      NODE_ENV: "test",
      LOG_LEVEL: "silent",
      REDIS_URL: `redis://${UNUSED_ADDRESS}`,
      SERVICE_PRIVATE_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      TRUSTED_KEYS: JSON.stringify({ gateway: [publicKey.export({ type: "spki", format: "pem" })] }),
    }),
  );
}
