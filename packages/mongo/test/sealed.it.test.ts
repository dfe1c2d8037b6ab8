import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { testServers } from "@asset-register/harness";
import type { Keyring } from "@asset-register/runtime";
import { expect, it, onTestFinished } from "vitest";
import { keyIdsInUse, type Mongo, requireKnownKeys, rewrap } from "../src/index.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh } from "./connect.ts";
import { keyedClient, keyedSettings } from "./keyed-client.ts";
import { startKeyedService } from "./keyed-service.ts";
import { fields, SERVICE, secretsOf } from "./secrets.ts";

const keys = Object.fromEntries(["k1", "k2", "k3"].map((id) => [id, randomBytes(32).toString("base64")]));
const ring = (active: string, ...others: string[]) => ({
  active,
  keys: Object.fromEntries([active, ...others].map((id) => [id, keys[id]!])),
});

async function freshMongo(): Promise<Mongo> {
  const mongo = await connectFresh();
  onTestFinished(() => mongo.close());
  return mongo;
}

const childArguments = (program: string, settings: object): string[] => [
  fileURLToPath(import.meta.resolve(program)),
  JSON.stringify({ ...testServers(), ...settings }),
];

function runChild(program: string, settings: object): void {
  const { status } = spawnSync(process.execPath, childArguments(program, settings), { stdio: "inherit" });
  expect(status).toBe(0);
}

const counts = async (mongo: Mongo) =>
  Object.fromEntries(
    (await keyIdsInUse(mongo, fields)).map(({ collection, keyId, count }) => [
      `${collection} ${keyId}`,
      count,
    ]),
  );

it("keyIdsInUse counts sealed values by key, in documents and in lists of documents", async () => {
  const mongo = await freshMongo();
  await secretsOf(mongo, ring("k1")).addHooks(["a", "b"]);
  await secretsOf(mongo, ring("k1")).addDevice("c", "d");
  await secretsOf(mongo, ring("k2")).addDevice("e");
  expect(await counts(mongo)).toEqual({ "hooks k1": 2, "devices k1": 2, "devices k2": 1 });
});

it("requireKnownKeys and rewrap refuse a keyring without a key in use; the error names the key, the field and the count", async () => {
  const mongo = await freshMongo();
  await secretsOf(mongo, ring("k1")).addHooks(["a", "b"]);
  await secretsOf(mongo, ring("k2")).addDevice("c");
  const without = secretsOf(mongo, ring("k3", "k2")).keyring;
  const start = requireKnownKeys(mongo, without, fields);
  await expect(start).rejects.toThrow('lacks the key "k1", which 2 secrets in hooks.secret are sealed with');
  await expect(rewrap(mongo, without, SERVICE, fields)).rejects.toThrow('lacks the key "k1"');
  await requireKnownKeys(mongo, secretsOf(mongo, ring("k3", "k2", "k1")).keyring, fields);
});

it("rewrap seals all secrets with the active key; without the old key, every secret can still be read", async () => {
  const mongo = await freshMongo();
  const before = secretsOf(mongo, ring("k1"));
  const secrets = Array.from({ length: 25 }, (_, n) => `secret ${n}`);
  await before.addHooks(secrets);
  const old = await before.addDevice("first", "second");
  const mixed = await secretsOf(mongo, ring("k2", "k1")).addDevice("new");
  const both = secretsOf(mongo, ring("k2", "k1")).keyring;
  const seen: number[] = [];
  const outcome = await rewrap(mongo, both, SERVICE, fields, {
    batchSize: 10,
    progress: ({ collection, rewrapped }) => void (collection === "hooks" && seen.push(rewrapped)),
  });
  expect(outcome).toEqual([
    { collection: "hooks", path: "secret", rewrapped: 25, unreadable: [] },
    { collection: "devices", path: "secrets.sealed", rewrapped: 2, unreadable: [] },
    { collection: "idempotency_keys", path: "sealed", rewrapped: 0, unreadable: [] },
    { collection: "idempotency_secrets", path: "sealed", rewrapped: 0, unreadable: [] },
  ]);
  expect(seen).toEqual([10, 20, 25]);
  expect(await counts(mongo)).toEqual({ "hooks k2": 25, "devices k2": 3 });
  const after = secretsOf(mongo, ring("k2"));
  await requireKnownKeys(mongo, after.keyring, fields);
  expect((await after.hookRows()).map(after.hookSecret).sort()).toEqual([...secrets].sort());
  expect(await after.deviceSecrets(old)).toEqual(["first", "second"]);
  expect(await after.deviceSecrets(mixed)).toEqual(["new"]);
  const again = await rewrap(mongo, both, SERVICE, fields);
  expect(again.map(({ rewrapped }) => rewrapped)).toEqual([0, 0, 0, 0]);
});

it("rewrap keeps a secret that was changed between its read and its write, also by a process with the old key", async () => {
  const mongo = await freshMongo();
  await secretsOf(mongo, ring("k1")).addHooks(["a", "b", "c", "d"]);
  const both = secretsOf(mongo, ring("k2", "k1"));
  const keyrings = [ring("k1", "k2"), ring("k2", "k1")];
  let rotated = false;
  const slow: Keyring = {
    ...both.keyring,
    decrypt: (sealed, place) => {
      // The batch has been read, and none of it is written before this function returns.
      if (!rotated) runChild("./rotate-child.ts", { database: mongo.database, keyrings });
      rotated = true;
      return both.keyring.decrypt(sealed, place);
    },
  };
  const [outcome] = await rewrap(mongo, slow, SERVICE, fields);
  for (const row of await both.hookRows()) expect(both.hookSecret(row)).toBe(`after ${row._id}`);
  // The two secrets that were sealed with the old key again are also rewrapped.
  expect(outcome).toMatchObject({ rewrapped: 2, unreadable: [] });
  expect(await counts(mongo)).toEqual({ "hooks k2": 4 });
});

it("after rewrap was killed, all secrets are readable, and a second run completes it", async () => {
  const mongo = await freshMongo();
  const before = secretsOf(mongo, ring("k1"));
  await before.addHooks(Array.from({ length: 25 }, (_, n) => `secret ${n}`));
  const settings = { database: mongo.database, keyring: ring("k2", "k1") };
  const child = spawn(process.execPath, childArguments("./rewrap-child.ts", settings), {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  expect(await counts(mongo)).toEqual({ "hooks k1": 15, "hooks k2": 10 });
  const both = secretsOf(mongo, ring("k2", "k1"));
  expect((await both.hookRows()).map(both.hookSecret)).toHaveLength(25);
  await rewrap(mongo, both.keyring, SERVICE, fields);
  expect(await counts(mongo)).toEqual({ "hooks k2": 25 });
});

it("rewrap reports an unreadable secret, leaves it unchanged, and rewraps the others", async () => {
  const mongo = await freshMongo();
  const before = secretsOf(mongo, ring("k1"));
  await before.addHooks(["a", "b", "c"]);
  const [first, second] = await before.hookRows();
  await systemCollection<{ _id: string }>(mongo, "hooks").updateOne(
    { _id: second!._id },
    { $set: { secret: first!.secret } },
  );
  const both = secretsOf(mongo, ring("k2", "k1")).keyring;
  const [outcome] = await rewrap(mongo, both, SERVICE, fields, { batchSize: 1 });
  expect(outcome).toMatchObject({ rewrapped: 2, unreadable: [second!._id] });
  expect(await counts(mongo)).toEqual({ "hooks k1": 1, "hooks k2": 2 });
});

it("rewrap includes stored answers of Idempotency-Keys: without the old key, a repeat still gets its answer", async () => {
  const mongo = await freshMongo();
  const settings = keyedSettings(testServers().mongoUrl, mongo.database);
  const create = async (keyring: ReturnType<typeof ring>, name = "a") => {
    const service = await startKeyedService({ ...settings, keyring: JSON.stringify(keyring) });
    const client = keyedClient(service.port);
    try {
      return await client.create({ name, idempotencyKey: "k1" });
    } finally {
      client.close();
      await service.stop();
    }
  };
  const first = await create(ring("k1"));
  expect(await create(ring("k2", "k1"))).toEqual({ ...first, replayed: true });
  await rewrap(mongo, secretsOf(mongo, ring("k2", "k1")).keyring, SERVICE, fields);
  expect(await counts(mongo)).toEqual({ "idempotency_keys k2": 1, "idempotency_secrets k2": 1 });
  expect(await create(ring("k2"))).toEqual({ ...first, replayed: true });
  expect(await create(ring("k2"), "b")).toMatchObject({
    error: expect.stringContaining("IDEMPOTENCY_KEY_REUSED"),
  });
});
