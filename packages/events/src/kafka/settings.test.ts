import { certificates } from "@asset-register/harness";
import { createCertificateWatch, createLogger, loadConfig } from "@asset-register/runtime";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { connectKafka } from "./connect.ts";
import { kafkaOptions, kafkaSettings } from "./settings.ts";

const options = (env: Record<string, string>) =>
  kafkaOptions(
    loadConfig(z.object(kafkaSettings), { KAFKA_BROKERS: "one:9092, two:9092", ...env }),
    createCertificateWatch({ logger: createLogger({ service: "test", level: "silent" }) }),
  );

const { own } = certificates;

test("settings with only brokers and prefix give a connection without TLS and SASL", () => {
  expect(options({})).toEqual({
    brokers: ["one:9092", "two:9092"],
    topicPrefix: "asset-register.",
    singleBroker: false,
    ssl: undefined,
    sasl: undefined,
  });
});

test("settings for TLS with a private certificate authority and for SASL with SCRAM reach the options", () => {
  const sasl = { mechanism: "scram-sha-512", username: "register", password: "secret" };
  const env = {
    KAFKA_TLS_CA: own.ca,
    KAFKA_SASL_MECHANISM: sasl.mechanism,
    KAFKA_SASL_USERNAME: sasl.username,
    KAFKA_SASL_PASSWORD: sasl.password,
  };
  expect(options(env)).toMatchObject({ ssl: { secureContext: {} }, sasl });
});

test("an incomplete credential is refused at boot instead of at the first connection", () => {
  expect(() => options({ KAFKA_SASL_MECHANISM: "plain" })).toThrow("KAFKA_SASL_USERNAME");
  // Without a mechanism kafkajs would connect without authentication.
  expect(() => options({ KAFKA_SASL_USERNAME: "register", KAFKA_SASL_PASSWORD: "secret" })).toThrow(
    "KAFKA_SASL_MECHANISM",
  );
  expect(() => options({ KAFKA_SASL_PASSWORD: "secret" })).toThrow("KAFKA_SASL_MECHANISM");
  expect(() => options({ KAFKA_TLS_CERT: own.cert })).toThrow("belong together");
});

test("production requires replicas, unless a setting says that there is one broker, which is logged", () => {
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines: string[] = [];
  const logger = createLogger({ service: "test", destination: { write: (line) => void lines.push(line) } });
  const connect = (env: Record<string, string>) =>
    connectKafka({ ...options(env), clientId: "test", logger });
  expect(connect({}).requiresReplicas).toBe(true);
  expect(lines).toEqual([]);
  expect(connect({ KAFKA_SINGLE_BROKER: "true" }).requiresReplicas).toBe(false);
  expect(lines.join("")).toContain("loses acknowledged events");
});
