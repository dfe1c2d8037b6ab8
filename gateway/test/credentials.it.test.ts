import { eventually } from "@asset-register/harness";
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
  let upstream = await startUpstream(keys, [accounts.implementation]);
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
  /** Identity is away for so long, and comes back where it was. */
  const withoutIdentity = async (during: () => Promise<void>): Promise<void> => {
    const port = Number(upstream.address.split(":")[1]);
    await upstream.stop();
    await during();
    upstream = await startUpstream(keys, [accounts.implementation], port);
  };
  return { accounts, credentials: createCredentials(client, now), withoutIdentity };
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

test("what identity has just refused is not asked about again, for at most 5 s", async () => {
  let now = 0;
  const { accounts, credentials } = await startIdentity(() => now);
  const key = accounts.apiKey();
  accounts.setEnabled(key, false);
  const refused = () =>
    expect(credentials.verify("api_key", key)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await refused();
  accounts.setEnabled(key, true);
  now = 4_999;
  await refused();
  expect(accounts.asked()).toBe(1);
  now = 5_000;
  await credentials.verify("api_key", key);
  expect(accounts.asked()).toBe(2);
});

test("a doubt is asked about, whatever was refused, and what it learns holds", async () => {
  const { accounts, credentials } = await startIdentity(() => 0);
  const key = accounts.apiKey();
  accounts.setEnabled(key, false);
  await expect(credentials.verify("api_key", key)).rejects.toMatchObject({ kind: "unauthenticated" });
  accounts.setEnabled(key, true);
  await credentials.verify("api_key", key, true);
  await credentials.verify("api_key", key);
  accounts.setEnabled(key, false);
  await expect(credentials.verify("api_key", key, true)).rejects.toMatchObject({ kind: "unauthenticated" });
  await expect(credentials.verify("api_key", key)).rejects.toMatchObject({ kind: "unauthenticated" });
  expect(accounts.asked()).toBe(3);
});

test("without identity nothing is refused, and that it is away is not remembered", async () => {
  const { accounts, credentials, withoutIdentity } = await startIdentity(() => 0);
  const key = accounts.apiKey();
  await withoutIdentity(async () => {
    await expect(credentials.verify("api_key", key)).rejects.toMatchObject({ kind: "unavailable" });
  });
  await eventually(() => credentials.verify("api_key", key));
});

test("what is known serves while identity is away, for at most 5 s", async () => {
  let now = 0;
  const { accounts, credentials, withoutIdentity } = await startIdentity(() => now);
  const key = accounts.apiKey();
  await credentials.verify("api_key", key);
  await withoutIdentity(async () => {
    now = 4_999;
    await credentials.verify("api_key", key);
    now = 5_000;
    await expect(credentials.verify("api_key", key)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

test("a text without the checksum of a key is refused without a question", async () => {
  const { accounts, credentials } = await startIdentity();
  const key = accounts.apiKey();
  const mistyped = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  for (const made of [mistyped, `ask_live_${"0".repeat(36)}`, key.replace("ask", "ASK")]) {
    await expect(credentials.verify("api_key", made)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  }
  expect(accounts.asked()).toBe(0);
});
