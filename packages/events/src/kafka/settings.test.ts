import { loadConfig } from "@asset-register/runtime";
import { expect, test } from "vitest";
import { z } from "zod";
import { kafkaOptions, kafkaSettings } from "./settings.ts";

const options = (env: Record<string, string>) =>
  kafkaOptions(loadConfig(z.object(kafkaSettings), { KAFKA_BROKERS: "one:9092, two:9092", ...env }));

const pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";

test("settings with only brokers and prefix give a connection without TLS and SASL", () => {
  expect(options({})).toEqual({
    brokers: ["one:9092", "two:9092"],
    topicPrefix: "asset-register.",
    ssl: undefined,
    sasl: undefined,
  });
});

test("settings for TLS with a private certificate authority and for SASL with SCRAM reach the options", () => {
  const sasl = { mechanism: "scram-sha-512", username: "register", password: "secret" };
  const env = {
    KAFKA_TLS_CA: pem,
    KAFKA_SASL_MECHANISM: sasl.mechanism,
    KAFKA_SASL_USERNAME: sasl.username,
    KAFKA_SASL_PASSWORD: sasl.password,
  };
  expect(options(env)).toMatchObject({ ssl: { ca: pem }, sasl });
});

test("an incomplete credential is refused at boot instead of at the first connection", () => {
  expect(() => options({ KAFKA_SASL_MECHANISM: "plain" })).toThrow("KAFKA_SASL_USERNAME");
  // Without a mechanism kafkajs would connect without authentication.
  expect(() => options({ KAFKA_SASL_USERNAME: "register", KAFKA_SASL_PASSWORD: "secret" })).toThrow(
    "KAFKA_SASL_MECHANISM",
  );
  expect(() => options({ KAFKA_SASL_PASSWORD: "secret" })).toThrow("KAFKA_SASL_MECHANISM");
  expect(() => options({ KAFKA_TLS_CERT: pem })).toThrow("belong together");
});
