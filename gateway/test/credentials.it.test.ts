import { CredentialService } from "@asset-register/proto/assetregister/identity/v1/credential_pb";
import { createRpcClient, createServiceIdentity } from "@asset-register/rpc";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { expect, onTestFinished, test } from "vitest";
import { createCredentials } from "../src/credentials.ts";
import { createAccounts } from "./accounts.ts";
import { freshKeys } from "./keys.ts";
import { startUpstream } from "./upstreams.ts";

async function startIdentity(now?: () => number) {
  const accounts = createAccounts();
  const keys = freshKeys();
  const upstream = await startUpstream(keys, [accounts.implementation]);
  const client = createRpcClient(CredentialService, {
    address: upstream.address,
    identity: createServiceIdentity({ name: "gateway", ...keys.of("gateway") }),
    logger: createLogger({ service: "gateway", level: "silent" }),
    metrics: createMetrics({ service: "gateway" }),
  });
  onTestFinished(async () => {
    client.close();
    await upstream.stop();
  });
  return { accounts, credentials: createCredentials(client, now) };
}

test("all who doubt a credential in the same moment share one question, whoever doubts later asks anew", async () => {
  const { accounts, credentials } = await startIdentity();
  const key = accounts.apiKey();
  await credentials.verify("api_key", key);
  const moment = Array.from({ length: 50 }, () => credentials.verify("api_key", key, true));
  await Promise.all(moment);
  expect(accounts.asked()).toBe(2);
  await credentials.verify("api_key", key, true);
  expect(accounts.asked()).toBe(3);
});

test("a doubt is not answered by a question that was asked before it", async () => {
  const { accounts, credentials } = await startIdentity();
  const key = accounts.apiKey();
  const before = credentials.verify("api_key", key);
  const doubting = credentials.verify("api_key", key, true);
  expect(await doubting).not.toBe(await before);
  expect(accounts.asked()).toBe(2);
});

test("what identity refuses is forgotten", async () => {
  const { accounts, credentials } = await startIdentity();
  const key = accounts.apiKey();
  await credentials.verify("api_key", key);
  accounts.revoke(key);
  await expect(credentials.verify("api_key", key, true)).rejects.toMatchObject({ kind: "unauthenticated" });
  await expect(credentials.verify("api_key", key)).rejects.toMatchObject({ kind: "unauthenticated" });
});

test("a credential is kept as long as identity says is left, whatever the clocks say", async () => {
  let now = 0;
  const { accounts, credentials } = await startIdentity(() => now);
  const key = accounts.apiKey();
  accounts.setExpiry(key, 2_000);
  await credentials.verify("api_key", key);
  now = 1_999;
  await credentials.verify("api_key", key);
  expect(accounts.asked()).toBe(1);
  now = 2_000;
  await credentials.verify("api_key", key);
  expect(accounts.asked()).toBe(2);
});

test("a credential with long to live is asked about every 5 s", async () => {
  let now = 0;
  const { accounts, credentials } = await startIdentity(() => now);
  const key = accounts.apiKey();
  accounts.setExpiry(key, 600_000);
  await credentials.verify("api_key", key);
  now = 4_999;
  await credentials.verify("api_key", key);
  expect(accounts.asked()).toBe(1);
  now = 5_000;
  await credentials.verify("api_key", key);
  expect(accounts.asked()).toBe(2);
});
