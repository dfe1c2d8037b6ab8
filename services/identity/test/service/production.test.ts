import { testKeyring, testKeys } from "@asset-register/harness";
import { loadConfig } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { buildApp } from "../../src/app.ts";
import { configSchema } from "../../src/config.ts";

test("identity does not start in production when its calls are not encrypted", async () => {
  const { privateKeyPem, trustedKeys } = testKeys("identity", "gateway");
  const config = loadConfig(configSchema, {
    NODE_ENV: "production",
    LOG_LEVEL: "silent",
    PUBLIC_URL: "https://assets.example.com",
    MONGO_URL: "mongodb://127.0.0.1:1/?replicaSet=rs0",
    KAFKA_BROKERS: "127.0.0.1:1",
    REDIS_URL: "redis://127.0.0.1:1",
    SERVICE_PRIVATE_KEY: privateKeyPem.identity,
    TRUSTED_KEYS: JSON.stringify(trustedKeys),
    KEYRING: testKeyring(),
    TOKEN_PEPPER: "p".repeat(32),
    INVITATION_TOKENS: "answer",
  });
  await expect(buildApp(config)).rejects.toThrow("GRPC_NETWORK_ENCRYPTED=true");
});
