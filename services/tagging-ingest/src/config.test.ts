import { testKeyring, testKeys } from "@asset-register/harness";
import { loadConfig } from "@asset-register/runtime";
import { expect, it } from "vitest";
import { configSchema } from "./config.ts";

const keys = testKeys("tagging-ingest");
const env = {
  ...{ NODE_ENV: "test", MONGO_URL: "mongodb://127.0.0.1", KAFKA_BROKERS: "127.0.0.1:9092" },
  ...{ REDIS_URL: "redis://127.0.0.1", REGISTER_ADDRESS: "127.0.0.1:50051", KEYRING: testKeyring() },
  SERVICE_PRIVATE_KEY: keys.privateKeyPem["tagging-ingest"] ?? "",
  TRUSTED_KEYS: JSON.stringify(keys.trustedKeys),
};
const load = (settings: Record<string, string>) => loadConfig(configSchema, { ...env, ...settings });

it("without a setting nothing is archived, and files are kept", () => {
  expect(load({})).toMatchObject({ EVENT_RETENTION_DAYS: 90 });
  expect(load({}).ARCHIVE_AFTER_DAYS).toBeUndefined();
  expect(load({}).ARCHIVE_KEEP_DAYS).toBeUndefined();
});

it.each([
  [{ ARCHIVE_AFTER_DAYS: "15" }],
  [{ ARCHIVE_AFTER_DAYS: "90", ARCHIVE_KEEP_DAYS: "91" }],
  [{ ARCHIVE_KEEP_DAYS: "365" }],
])("%j is accepted", (settings) => {
  expect(() => load(settings)).not.toThrow();
});

// Reads of younger days may still come: readers send them for 7 days, and Kafka keeps them for 7 days more.
it("a day to which reads may still come is never archived", () => {
  expect(() => load({ ARCHIVE_AFTER_DAYS: "14" })).toThrow(/ARCHIVE_AFTER_DAYS: must be at least 15/);
});

it("a day is archived before it would be dropped, and its file is kept for longer than a day without an archive", () => {
  expect(() => load({ ARCHIVE_AFTER_DAYS: "91" })).toThrow(/ARCHIVE_AFTER_DAYS: must be at most EVENT_RET/);
  expect(() => load({ EVENT_RETENTION_DAYS: "20", ARCHIVE_AFTER_DAYS: "30" })).toThrow(/ARCHIVE_AFTER_DAYS/);
  expect(() => load({ ARCHIVE_KEEP_DAYS: "90" })).toThrow(/ARCHIVE_KEEP_DAYS: must be more than EVENT_RET/);
});
