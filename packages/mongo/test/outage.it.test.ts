import { eventually, freshDatabase, privateServer } from "@asset-register/harness";
import { createLogger, createMetrics } from "@asset-register/runtime";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connectMongo, createLease, isUnavailable, type Mongo, type TenantCollection } from "../src/index.ts";
import { systemCollection } from "../src/system.ts";
import { silent, type Thing } from "./connect.ts";

let server: Awaited<ReturnType<typeof privateServer>>;
let db: Mongo;
let things: TenantCollection<Thing>;
const lines: string[] = [];

beforeAll(async () => {
  server = await privateServer("mongo");
  const logger = createLogger({ service: "outage", destination: { write: (line) => void lines.push(line) } });
  db = await connectMongo({ url: server.url, database: freshDatabase(), logger });
  things = db.collection<Thing>("things");
  await things.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: String(n), workspaceId: "w1" })));
});
afterAll(async () => {
  await db.close();
  await server.stop();
});

const mine = { workspaceId: "w1" };

/** Each kind of database call. */
const asks: [string, () => Promise<unknown>][] = [
  ["a read", () => things.findOne(mine)],
  ["a list", () => things.find(mine).toArray()],
  ["a stream", () => things.find(mine, { batchSize: 10 }).stream().toArray()],
  ["a write", () => things.updateOne({ ...mine, _id: "1" }, { $inc: { count: 1 } })],
  ["a transaction", () => db.transaction({}, (session) => things.findOne(mine, { session }))],
  ["a system collection", () => systemCollection(db, "rows").findOne({})],
  ["a lease", () => createLease(db, { name: "x", holder: "a", ttlMs: 1_000 }).acquire()],
];

const writing = (_id: string) => () =>
  db.transaction({}, (session) =>
    db
      .collection<Thing>("busy")
      .updateOne({ ...mine, _id }, { $inc: { count: 1 } }, { session, upsert: true }),
  );

/** Repeats a call until it fails. `running` resolves after the first success, `failed` rejects with the error. */
function untilItFails(ask: () => Promise<unknown>): { running: Promise<void>; failed: Promise<never> } {
  const running = Promise.withResolvers<void>();
  const loop = async (): Promise<never> => {
    for (;;) {
      await ask();
      running.resolve();
    }
  };
  return { running: running.promise, failed: loop() };
}

async function expectUnavailable(ask: () => Promise<unknown>): Promise<void> {
  const error: unknown = await ask().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ kind: "unavailable" });
  expect(isUnavailable(error)).toBe(true);
}

/** The limit of 12 s in connect.ts, plus a margin for a busy machine. Without a limit the calls would never end. */
const BOUND_MS = 45_000;

const answersAgain = () =>
  eventually(async () => {
    expect(await db.ping()).toBe(true);
    expect(await things.countDocuments(mine)).toBe(300);
  });

describe("an unavailable database", () => {
  it("after the server is killed every call fails as unavailable, and succeeds again after a restart", {
    timeout: 600_000,
  }, async () => {
    const busy = Array.from({ length: 16 }, (_, n) => untilItFails(writing(`busy ${n}`)));
    const failures = busy.map(({ failed }) => expectUnavailable(() => failed));
    await Promise.all(busy.map(({ running }) => running));
    await server.kill();
    await Promise.all(failures);
    await Promise.all(asks.map(([, ask]) => expectUnavailable(ask)));
    expect(await db.ping()).toBe(false);
    await eventually(() => expect(lines.join("")).toContain("MongoDB does not answer"));
    await server.restart();
    await answersAgain();
    await eventually(() => expect(lines.join("")).toContain("MongoDB answers again"));
  });

  it("while the server hangs, every call fails as unavailable within the limit, also a cursor in use", {
    timeout: 600_000,
  }, async () => {
    const cursor = things.find(mine, { batchSize: 10 });
    await cursor.next();
    await server.pause();
    // On a busy machine the kernel does not stop a process immediately.
    await eventually(async () => expect(await db.ping()).toBe(false));
    const rest = async () => {
      while ((await cursor.next()) !== null);
    };
    const late = AbortSignal.timeout(BOUND_MS);
    const bound = new Promise<never>((_, reject) => {
      late.addEventListener("abort", () => reject(new Error("the calls did not end within the limit")));
    });
    const all = [...asks.map(([, ask]) => ask), rest].map(expectUnavailable);
    await Promise.race([Promise.all(all), bound]);
    expect(await db.ping()).toBe(false);
    await server.resume();
    await answersAgain();
  });
});

it("the connection metric also counts the connection that existed before its listeners", async () => {
  const metrics = createMetrics({ service: "test" });
  const settings = { url: server.url, database: freshDatabase(), logger: silent, metrics };
  const one = await connectMongo(settings);
  onTestFinished(() => one.close());
  await eventually(async () => {
    await one.ping();
    expect(await metrics.registry.metrics()).toMatch(/db_client_connection_count\{state="idle".*\} 1\n/);
  });
});

describe("connectMongo", () => {
  it("connectMongo without a server fails with a clear error instead of waiting without end", async () => {
    const url = "mongodb://127.0.0.1:9/";
    await expect(connectMongo({ url, database: "x", logger: silent })).rejects.toThrow(/ECONNREFUSED/);
  });

  it("connectMongo in production refuses a URL that could lose acknowledged writes", async () => {
    const weak = (query: string) =>
      connectMongo({
        url: `mongodb://127.0.0.1:9/${query}`,
        database: "x",
        logger: silent,
        production: true,
      });
    await expect(weak("?w=1")).rejects.toThrow("w=1");
    await expect(weak("?journal=false&w=1")).rejects.toThrow("journal=false, w=1");
  });

  it("connectMongo uses journaled majority writes and majority reads, even if the URL says otherwise", async () => {
    const url = `${server.url}&w=1&journal=false&readConcernLevel=local`;
    const careless = await connectMongo({ url, database: freshDatabase(), logger: silent });
    const rows = systemCollection<{ _id: string }>(careless, "rows");
    expect(rows.writeConcern).toMatchObject({ w: "majority", journal: true });
    expect(rows.readConcern).toMatchObject({ level: "majority" });
    expect(await rows.insertOne({ _id: "1" })).toMatchObject({ acknowledged: true });
    await careless.close();
  });
});
