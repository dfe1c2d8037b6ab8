import { freshDatabase, testServers } from "@asset-register/harness";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isDuplicateKey } from "../src/index.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh } from "./connect.ts";
import { keyedClient, keyedSettings } from "./keyed-client.ts";
import { startKeyedService } from "./keyed-service.ts";

let service: Awaited<ReturnType<typeof startKeyedService>>;
let client: ReturnType<typeof keyedClient>;

beforeAll(async () => {
  service = await startKeyedService(keyedSettings(testServers().mongoUrl, freshDatabase()));
  client = keyedClient(service.port);
});
afterAll(async () => {
  client.close();
  await service.stop();
});
beforeEach(async () => {
  for (const name of ["keys", "idempotency_keys"]) await systemCollection(service.db, name).deleteMany({});
});

const effects = () => systemCollection(service.db, "keys").countDocuments();

describe("a keyed command", () => {
  it("a repeated command gets the same answer, including its secret, and has no second effect", async () => {
    const first = await client.create({ name: "a", idempotencyKey: "k1" });
    const again = await client.create({ name: "a", idempotencyKey: "k1" });
    expect(first).toMatchObject({ secret: expect.stringMatching(/^ask_live_/), replayed: false });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await effects()).toBe(1);
  });

  it("a command that replaced its answer after the transaction gives the new answer to a repeat", async () => {
    const ask = { name: "finished later", idempotencyKey: "k1" };
    const first = await client.create(ask);
    expect(first).toMatchObject({ id: expect.stringContaining("finished"), replayed: false });
    expect(await client.create(ask)).toEqual({ ...first, replayed: true });
  });

  it("12 concurrent commands with one key have one effect and get one answer", async () => {
    const asks = Array.from({ length: 12 }, () => client.create({ name: "a", idempotencyKey: "k1" }));
    const answers = await Promise.all(asks);
    expect(new Set(answers.map(({ id, secret }) => `${id} ${secret}`)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(answers.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(await effects()).toBe(1);
  });

  it("concurrent commands with different keys have one effect each, although they write a common row", async () => {
    const asks = Array.from({ length: 8 }, (_, n) => client.create({ name: "a", idempotencyKey: `k${n}` }));
    expect(new Set((await Promise.all(asks)).map(({ id }) => id)).size).toBe(8);
    expect(await effects()).toBe(8);
  });

  it("commands without a key have an effect each time", async () => {
    await client.create({ name: "a" });
    await client.create({ name: "a" });
    expect(await effects()).toBe(2);
  });

  it("a key that was used with another request gets IDEMPOTENCY_KEY_REUSED and no effect", async () => {
    await client.create({ name: "a", idempotencyKey: "k1" });
    expect(await client.create({ name: "b", idempotencyKey: "k1" })).toMatchObject({
      error: expect.stringContaining("IDEMPOTENCY_KEY_REUSED"),
    });
    expect(await effects()).toBe(1);
  });

  it("the same key of another workspace or another user is independent", async () => {
    const who = [{}, { user: "usr_2" }, { workspaceId: "wsp_2" }];
    const asks = who.map((one) => client.create({ name: "a", idempotencyKey: "k1", ...one }));
    expect(new Set((await Promise.all(asks)).map(({ id }) => id)).size).toBe(3);
  });

  it("a command that was refused gets the same error again and has no effect", async () => {
    const first = await client.create({ name: "taken", idempotencyKey: "k1" });
    const again = await client.create({ name: "taken", idempotencyKey: "k1" });
    // The message contains an id that is new in each run, so an equal message proves that the error was stored.
    expect(first).toMatchObject({ error: expect.stringContaining("NAME_TAKEN"), replayed: false });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await effects()).toBe(0);
  });
});

describe("the idempotency store", () => {
  const rows = () => systemCollection(service.db, "idempotency_keys");

  it("the database does not contain the secret of an answer in plain text", async () => {
    const { id = "", secret = "" } = await client.create({ name: "a", idempotencyKey: "k1" });
    const [row, ...more] = await rows().find().toArray();
    expect(more).toEqual([]);
    expect(row).toMatchObject({ key: "k1", sealed: { keyId: "k1" } });
    expect(row).not.toHaveProperty("response");
    const everything = Buffer.concat([row!.sealed.data.value(), Buffer.from(JSON.stringify(row))]);
    expect(everything.includes(secret)).toBe(false);
    expect(everything.includes(id)).toBe(false);
  });

  it("a sealed answer that was moved to another row is not accepted", async () => {
    await client.create({ name: "a", idempotencyKey: "k1" });
    await client.create({ name: "a", idempotencyKey: "k2" });
    const other = await rows().findOne({ key: "k2" });
    await rows().updateOne({ key: "k1" }, { $set: { sealed: other!.sealed } });
    expect(await client.create({ name: "a", idempotencyKey: "k1" })).toMatchObject({
      error: expect.stringContaining("INTERNAL"),
    });
  });

  it("equal requests under different keys have different HMACs, unlike a bare hash", async () => {
    await client.create({ name: "a", idempotencyKey: "k1" });
    await client.create({ name: "a", idempotencyKey: "k2" });
    const macs = (await rows().find().toArray()).map(({ mac }) => Buffer.from(mac.value()).toString("hex"));
    expect(new Set(macs).size).toBe(2);
  });

  it("two processes that start at the same time use one HMAC key, so that each recognises requests of the other", async () => {
    const settings = keyedSettings(testServers().mongoUrl, freshDatabase());
    const processes = await Promise.all([startKeyedService(settings), startKeyedService(settings)]);
    const clients = processes.map(({ port }) => keyedClient(port));
    try {
      const keys = ["k1", "k2", "k3"];
      const ask = (one: (typeof clients)[number]) =>
        Promise.all(keys.map((idempotencyKey) => one.create({ name: "a", idempotencyKey })));
      const [here, there] = await Promise.all(clients.map(ask));
      expect(there!.map(({ id }) => id)).toEqual(here!.map(({ id }) => id));
      expect(here!.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    } finally {
      for (const one of clients) one.close();
      await Promise.all(processes.map(({ stop }) => stop()));
    }
  });

  it("a unique index allows each key once, and a TTL index removes it after 24 hours", async () => {
    const indexes = await rows().indexes();
    expect(indexes).toContainEqual(
      expect.objectContaining({ unique: true, key: { workspaceId: 1, principal: 1, route: 1, key: 1 } }),
    );
    expect(indexes).toContainEqual(
      expect.objectContaining({ key: { createdAt: 1 }, expireAfterSeconds: 86_400 }),
    );
    await client.create({ name: "a", idempotencyKey: "k1" });
    const { _id, ...row } = (await rows().findOne({}))!;
    const second = rows().insertOne({ ...row });
    await expect(second).rejects.toSatisfy((error) => isDuplicateKey(error, "workspace_principal_route_key"));
  });
});

describe("a keyed transaction", () => {
  it("a keyed transaction without createIdempotencyStore fails", async () => {
    const db = await connectFresh();
    const encode = () => new Uint8Array();
    const keyed = {
      workspaceId: "w",
      principal: "p",
      route: "r",
      key: "k",
      fingerprint: "f",
      encode,
    };
    await expect(db.transaction({ keyed }, async () => 1)).rejects.toThrow(/createIdempotencyStore/);
    await db.close();
  });

  it("a second transaction of a keyed call fails, because its answer could not be stored", async () => {
    const encode = (result: unknown) => Buffer.from(JSON.stringify(result));
    const keyed = {
      workspaceId: "w",
      principal: "p",
      route: "r",
      key: "k",
      fingerprint: "f",
      encode,
    };
    expect(await service.db.transaction({ keyed }, async () => ({ a: 1 }))).toEqual({ a: 1 });
    await expect(service.db.transaction({ keyed }, async () => 2)).rejects.toThrow(/one transaction/);
    expect(await rowsOf("r")).toMatchObject([{ response: expect.anything() }]);
  });
});

const rowsOf = (route: string) => systemCollection(service.db, "idempotency_keys").find({ route }).toArray();
