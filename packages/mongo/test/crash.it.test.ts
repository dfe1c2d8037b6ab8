import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { eventually, freshDatabase, privateServer } from "@asset-register/harness";
import mongoose from "mongoose";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemCollection } from "../src/system.ts";
import { keyedClient, keyedSettings } from "./keyed-client.ts";
import { type Step, startKeyedService } from "./keyed-service.ts";

let mongoUrl: string;
let stopServer: () => Promise<void>;

// A private server, because the lifetime of the transactions of dead clients is a setting of the whole server.
beforeAll(async () => {
  const server = await privateServer("mongo");
  mongoUrl = server.url;
  stopServer = server.stop;
  const admin = await mongoose.createConnection(mongoUrl).asPromise();
  await admin.getClient().db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: 1 });
  await admin.close();
});
afterAll(() => stopServer());

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Victim = { port: number; reached: Promise<unknown>; kill(): Promise<void> };

/** Starts the service in a process that stops at one step, so that the test can kill it there. */
async function victim(settings: ReturnType<typeof keyedSettings>, halt: Step): Promise<Victim> {
  const main = fileURLToPath(import.meta.resolve("./keyed-service-process.ts"));
  const child = spawn(process.execPath, [main, JSON.stringify(settings), halt], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  closing.push(() => kill(child));
  const lines = createInterface({ input: child.stdout });
  const reached = Promise.withResolvers<void>();
  const listening = Promise.withResolvers<number>();
  lines.on("line", (line) => {
    if (line === halt) reached.resolve();
    if (line.startsWith("port ")) listening.resolve(Number(line.slice(5)));
  });
  child.once("exit", () => listening.reject(new Error("the service ended")));
  return { port: await listening.promise, reached: reached.promise, kill: () => kill(child) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

function clientOf(port: number) {
  const client = keyedClient(port);
  closing.push(() => client.close());
  return client;
}

describe("a process that is killed in a keyed command", () => {
  const ask = { name: "a", idempotencyKey: "k1" };

  async function killAt(step: Step) {
    const settings = keyedSettings(mongoUrl, freshDatabase());
    const dying = await victim(settings, step);
    const lost = clientOf(dying.port).create(ask);
    await dying.reached;
    await dying.kill();
    expect(await lost).toMatchObject({ error: expect.any(String) });
    const next = await startKeyedService(settings);
    closing.push(() => next.stop());
    const keys = systemCollection<{ _id: string }>(next.db, "keys");
    return { keys, client: clientOf(next.port) };
  }

  it("after a kill before the commit, the retry has the effect once, and further retries get the same answer", async () => {
    const { keys, client } = await killAt("inside the transaction");
    expect(await keys.countDocuments()).toBe(0);
    // The key is locked until the database ends the orphaned transaction.
    const first = await eventually(async () => {
      const answer = await client.create(ask);
      expect(answer.error).toBeUndefined();
      return answer;
    });
    expect(await client.create(ask)).toEqual({ ...first, replayed: true });
    expect(await keys.find().toArray()).toMatchObject([{ _id: first.id }]);
  });

  it("after a kill between the commit and the answer, the retry gets the stored answer", async () => {
    const { keys, client } = await killAt("after the commit");
    const answer = await client.create(ask);
    expect(answer).toMatchObject({ secret: expect.stringMatching(/^ask_live_/), replayed: true });
    expect(await client.create(ask)).toEqual(answer);
    expect(await keys.find().toArray()).toMatchObject([{ _id: answer.id }]);
  });
});
