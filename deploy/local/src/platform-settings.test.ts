import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { databaseName, gatewayEnvironment, serviceEnvironment } from "./platform-settings.ts";
import { openSecrets } from "./secrets.ts";

const data = mkdtempSync(join(tmpdir(), "settings-"));
const secrets = openSecrets(data);
const settings = {
  servers: { mongo: { url: "mongodb://m" }, kafka: { url: "k:1" }, redis: { url: "redis://r" } },
  secrets,
  services: new Map([
    ["identity", { grpc: "127.0.0.1:1", health: "127.0.0.1:2" }],
    ["tagging-ingest", { grpc: "127.0.0.1:3", health: "127.0.0.1:4" }],
  ]),
  gateway: { http: "127.0.0.1:8080", health: "127.0.0.1:5" },
  topicPrefix: undefined,
};

test("every process gets the address of each service as <NAME>_ADDRESS", () => {
  expect(serviceEnvironment(settings, "identity")).toMatchObject({
    GRPC_ADDRESS: "127.0.0.1:1",
    HEALTH_ADDRESS: "127.0.0.1:2",
    MONGO_DATABASE: "asset_register_identity",
    TAGGING_INGEST_ADDRESS: "127.0.0.1:3",
  });
  expect(gatewayEnvironment(settings)).toMatchObject({
    HTTP_ADDRESS: "127.0.0.1:8080",
    IDENTITY_ADDRESS: "127.0.0.1:1",
  });
});

test("PUBLIC_URL is localhost with the port of the gateway", () => {
  for (const env of [serviceEnvironment(settings, "identity"), gatewayEnvironment(settings)])
    expect(env.PUBLIC_URL).toBe("http://localhost:8080");
});

test("without a mail server the answer of an invitation has its token", () => {
  expect(serviceEnvironment(settings, "identity")).toMatchObject({ INVITATION_TOKENS: "answer" });
});

test("twice SHUTDOWN_TIMEOUT_MS is less than the 20 s after which a process is killed", () => {
  for (const env of [serviceEnvironment(settings, "identity"), gatewayEnvironment(settings)])
    expect(2 * Number(env.SHUTDOWN_TIMEOUT_MS)).toBeLessThan(20_000);
});

test("TRUSTED_KEYS verify the signatures of every process", () => {
  const trusted = JSON.parse(gatewayEnvironment(settings).TRUSTED_KEYS!);
  for (const [name, env] of [
    ["identity", serviceEnvironment(settings, "identity")],
    ["gateway", gatewayEnvironment(settings)],
  ] as const) {
    const signature = sign(null, Buffer.from("x"), createPrivateKey(env.SERVICE_PRIVATE_KEY!));
    expect(verify(null, Buffer.from("x"), createPublicKey(trusted[name][0]), signature)).toBe(true);
  }
});

test("secrets stay the same after a restart, are readable only by their owner, and differ between services", () => {
  expect(serviceEnvironment({ ...settings, secrets: openSecrets(data) }, "identity")).toEqual(
    serviceEnvironment(settings, "identity"),
  );
  expect(statSync(join(data, "keys", "identity.pem")).mode & 0o777).toBe(0o600);
  expect(serviceEnvironment(settings, "identity").KEYRING).not.toBe(
    serviceEnvironment(settings, "tagging-ingest").KEYRING,
  );
});

test("only identity gets TOKEN_PEPPER, and the gateway gets no MONGO_URL", () => {
  expect(Buffer.from(serviceEnvironment(settings, "identity").TOKEN_PEPPER!, "base64")).toHaveLength(32);
  expect(serviceEnvironment(settings, "tagging-ingest")).not.toHaveProperty("TOKEN_PEPPER");
  expect(gatewayEnvironment(settings)).not.toHaveProperty("MONGO_URL");
});

test("a run with a topic prefix of its own has databases of its own", () => {
  expect(databaseName("tagging-ingest", "t12ab.")).toBe("t12ab_tagging_ingest");
});
