import { randomUUID } from "node:crypto";
import { eventually, findFreePort, testKeys } from "@asset-register/harness";
import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { createRpcClient, createServiceIdentity } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { startFakeService } from "@asset-register/service-harness";
import { expect, onTestFinished, test } from "vitest";
import { createCredentials } from "../src/credentials.ts";
import { createRefusals } from "../src/refusals.ts";
import { createAccounts } from "./accounts.ts";

const CLIENT = { ip: "192.0.2.1" };
/** Refusals of a network that are allowed at once. */
const BURST = 3;

async function startIdentity(now?: () => number) {
  const accounts = createAccounts();
  const keys = testKeys("gateway", "upstream");
  // No other connection can take this port while identity is stopped.
  const port = await findFreePort();
  const startUpstream = () => startFakeService("upstream", keys, [accounts.implementation], port);
  let upstream = await startUpstream();
  const client = createRpcClient(CredentialService, {
    address: upstream.address,
    identity: createServiceIdentity({
      name: "gateway",
      privateKeyPem: keys.privateKeyPem.gateway ?? "",
      trustedKeys: keys.trustedKeys,
    }),
    logger: createLogger({ service: "gateway", level: "silent" }),
    metrics: createMetrics({ service: "gateway" }),
    deadlineMs: 60_000,
  });
  onTestFinished(async () => {
    client.close();
    await upstream.stop();
  });
  /** Stops identity while `work` runs, and starts it again at the same address. */
  const withoutIdentity = async (work: () => Promise<void>): Promise<void> => {
    await upstream.stop();
    await work();
    upstream = await startUpstream();
  };
  const refusals = createRefusals({ charge: async () => undefined }, { perMinute: 1, burst: BURST });
  return { accounts, credentials: createCredentials(client, refusals, now), withoutIdentity };
}

test("fresh verifications of a credential at the same moment share one RPC, a later one makes another", async () => {
  const { accounts, credentials } = await startIdentity();
  const key = accounts.apiKey();
  await credentials.verify("api_key", key, CLIENT);
  const verifications = Array.from({ length: 50 }, () => credentials.verifyAgain("api_key", key));
  await Promise.all(verifications);
  expect(accounts.verifications()).toBe(2);
  await credentials.verifyAgain("api_key", key);
  expect(accounts.verifications()).toBe(3);
});

test("a fresh verification does not use the result of an RPC that was sent before it", async () => {
  const { accounts, credentials } = await startIdentity();
  const key = accounts.apiKey();
  const before = credentials.verify("api_key", key, CLIENT);
  const fresh = credentials.verifyAgain("api_key", key);
  expect(await fresh).not.toBe(await before);
  expect(accounts.verifications()).toBe(2);
});

test("a credential that identity refuses is removed from the cache", async () => {
  const { accounts, credentials } = await startIdentity();
  const key = accounts.apiKey();
  await credentials.verify("api_key", key, CLIENT);
  accounts.revoke(key);
  await expect(credentials.verifyAgain("api_key", key)).rejects.toMatchObject({ kind: "unauthenticated" });
  await expect(credentials.verify("api_key", key, CLIENT)).rejects.toMatchObject({ kind: "unauthenticated" });
});

test("a credential is cached for its remaining time, whatever the clocks say", async () => {
  let now = 0;
  const { accounts, credentials } = await startIdentity(() => now);
  const key = accounts.apiKey();
  accounts.setExpiry(key, 2_000);
  await credentials.verify("api_key", key, CLIENT);
  now = 1_999;
  await credentials.verify("api_key", key, CLIENT);
  expect(accounts.verifications()).toBe(1);
  now = 2_000;
  await credentials.verify("api_key", key, CLIENT);
  expect(accounts.verifications()).toBe(2);
});

test("a credential that expires much later is cached for 5 s", async () => {
  let now = 0;
  const { accounts, credentials } = await startIdentity(() => now);
  const key = accounts.apiKey();
  accounts.setExpiry(key, 600_000);
  await credentials.verify("api_key", key, CLIENT);
  now = 4_999;
  await credentials.verify("api_key", key, CLIENT);
  expect(accounts.verifications()).toBe(1);
  now = 5_000;
  await credentials.verify("api_key", key, CLIENT);
  expect(accounts.verifications()).toBe(2);
});

test("a refusal of identity is cached for 5 s", async () => {
  let now = 0;
  const { accounts, credentials } = await startIdentity(() => now);
  const key = accounts.apiKey();
  accounts.setEnabled(key, false);
  const refused = () =>
    expect(credentials.verify("api_key", key, CLIENT)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await refused();
  accounts.setEnabled(key, true);
  now = 4_999;
  await refused();
  expect(accounts.verifications()).toBe(1);
  now = 5_000;
  await credentials.verify("api_key", key, CLIENT);
  expect(accounts.verifications()).toBe(2);
});

test("a fresh verification ignores a cached refusal, and its result replaces it", async () => {
  const { accounts, credentials } = await startIdentity(() => 0);
  const key = accounts.apiKey();
  accounts.setEnabled(key, false);
  await expect(credentials.verify("api_key", key, CLIENT)).rejects.toMatchObject({ kind: "unauthenticated" });
  accounts.setEnabled(key, true);
  await credentials.verifyAgain("api_key", key);
  await credentials.verify("api_key", key, CLIENT);
  accounts.setEnabled(key, false);
  await expect(credentials.verifyAgain("api_key", key)).rejects.toMatchObject({ kind: "unauthenticated" });
  await expect(credentials.verify("api_key", key, CLIENT)).rejects.toMatchObject({ kind: "unauthenticated" });
  expect(accounts.verifications()).toBe(3);
});

test("beyond the limit of refusals a network is limited before identity is asked, but not its known callers", async () => {
  const { accounts, credentials } = await startIdentity();
  const known = accounts.apiKey();
  await credentials.verify("api_key", known, CLIENT);
  const verify = (client = CLIENT) => credentials.verify("access_token", `at_${randomUUID()}`, client);
  for (let i = 0; i < BURST; i += 1)
    await expect(verify()).rejects.toMatchObject({ kind: "unauthenticated" });
  const asked = accounts.verifications();
  for (let i = 0; i < 5; i += 1) await expect(verify()).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(accounts.verifications()).toBe(asked);
  await credentials.verify("api_key", known, CLIENT);
  await expect(verify({ ip: "192.0.2.2" })).rejects.toMatchObject({ kind: "unauthenticated" });
});

test("without identity a credential is unavailable, not refused, and that is not cached", async () => {
  const { accounts, credentials, withoutIdentity } = await startIdentity(() => 0);
  const key = accounts.apiKey();
  await withoutIdentity(async () => {
    await expect(credentials.verify("api_key", key, CLIENT)).rejects.toMatchObject({ kind: "unavailable" });
  });
  await eventually(() => credentials.verify("api_key", key, CLIENT));
});

test("without identity a cached credential is valid for at most 5 s", async () => {
  let now = 0;
  const { accounts, credentials, withoutIdentity } = await startIdentity(() => now);
  const key = accounts.apiKey();
  await credentials.verify("api_key", key, CLIENT);
  await withoutIdentity(async () => {
    now = 4_999;
    await credentials.verify("api_key", key, CLIENT);
    now = 5_000;
    await expect(credentials.verify("api_key", key, CLIENT)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

test("an API key with a wrong checksum is refused without asking identity", async () => {
  const { accounts, credentials } = await startIdentity();
  const key = accounts.apiKey();
  const mistyped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  for (const malformed of [mistyped, `ask_live_${"0".repeat(36)}`, key.replace("ask", "ASK")]) {
    await expect(credentials.verify("api_key", malformed, CLIENT)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
  }
  expect(accounts.verifications()).toBe(0);
});
