import { generateKeyPairSync, randomBytes } from "node:crypto";
import { certificates } from "@asset-register/harness";
import { ConfigError, loadConfig } from "@asset-register/runtime";
import { describe, expect, test } from "vitest";
import { configSchema } from "./config.ts";

const env = {
  NODE_ENV: "development",
  MONGO_URL: "mongodb://127.0.0.1:27017",
  KAFKA_BROKERS: "127.0.0.1:9092",
  REDIS_URL: "redis://127.0.0.1:6379",
  REGISTER_ADDRESS: "127.0.0.1:50052",
  TAGGING_INGEST_ADDRESS: "127.0.0.1:50053",
  SERVICE_PRIVATE_KEY: generateKeyPairSync("ed25519")
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
  TRUSTED_KEYS: "{}",
  KEYRING: JSON.stringify({ active: "k1", keys: { k1: randomBytes(32).toString("base64") } }),
};

const problems = (change: Record<string, string>): string[] => {
  try {
    loadConfig(configSchema, { ...env, ...change });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("WEBHOOK_ALLOWED_NETWORKS", () => {
  test("is empty by default: webhooks go to public addresses only", () => {
    expect(loadConfig(configSchema, env).WEBHOOK_ALLOWED_NETWORKS).toEqual([]);
  });

  test("names networks in development; the service refuses to start with it in production", () => {
    const change = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8, ::1/128" };
    expect(problems(change)).toEqual([]);
    expect(problems({ ...change, NODE_ENV: "production" })).toEqual([
      expect.stringContaining("WEBHOOK_ALLOWED_NETWORKS"),
    ]);
    // Production is the default.
    expect(problems({ ...change, NODE_ENV: "" })).toHaveLength(1);
  });

  test("WEBHOOK_CA is accepted in development only", () => {
    const change = { WEBHOOK_CA: certificates.own.ca };
    expect(problems(change)).toEqual([]);
    expect(problems({ ...change, NODE_ENV: "production" })).toEqual([expect.stringContaining("WEBHOOK_CA")]);
    expect(problems({ WEBHOOK_CA: "nonsense" })).toEqual([expect.stringContaining("WEBHOOK_CA")]);
  });

  test("a process has all roles by default, and may be the sender alone", () => {
    expect(loadConfig(configSchema, env).ROLES).toEqual(["api", "worker", "relay", "sender"]);
    expect(problems({ ROLES: "sender" })).toEqual([]);
    expect(problems({ ROLES: "mailer" })).toEqual([expect.stringContaining("ROLES")]);
  });

  test("a text that is no network is refused by name", () => {
    expect(problems({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8,localhost" })).toEqual([
      expect.stringContaining("localhost"),
    ]);
  });
});
