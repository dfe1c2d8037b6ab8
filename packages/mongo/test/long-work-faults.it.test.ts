import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { eventually, freshDatabase, privateServer } from "@asset-register/harness";
import mongoose from "mongoose";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connectMongo, type Mongo } from "../src/index.ts";
import { silent } from "./connect.ts";
import {
  type CopyRecord,
  copied,
  createCopying,
  findCopy,
  newCopy,
  prepareCopies,
  type Stage,
  upTo,
} from "./copying.ts";

const LEASE_MS = 1_500;
let server: Awaited<ReturnType<typeof privateServer>>;

// A private server, because the lifetime of the transactions of dead clients is a setting of the whole server.
beforeAll(async () => {
  server = await privateServer("mongo");
  const admin = await mongoose.createConnection(server.url).asPromise();
  await admin.getClient().db("admin").command({ setParameter: 1, transactionLifetimeLimitSeconds: 3 });
  await admin.close();
});
afterAll(() => server.stop());

async function freshMongo(): Promise<Mongo> {
  const mongo = await connectMongo({ url: server.url, database: freshDatabase(), logger: silent });
  onTestFinished(() => mongo.close());
  await prepareCopies(mongo);
  return mongo;
}

type Child = { process: ChildProcess; printed(text: string): Promise<void> };

/** Starts a worker that can be killed or frozen at a stage of the chunk that begins with `stopDone`. */
function startChild(mongo: Mongo, stopAt: Stage, stopDone: number): Child {
  const main = fileURLToPath(import.meta.resolve("./long-work-child.ts"));
  const settings = { mongoUrl: server.url, database: mongo.database, stopAt, stopDone, leaseMs: LEASE_MS };
  const child = spawn(process.execPath, [main, JSON.stringify(settings)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  return {
    process: child,
    printed: (text) => eventually(() => expect(lines.join("\n")).toContain(text)),
  };
}

function startWorker(mongo: Mongo): void {
  const work = createCopying(mongo, { by: "other", leaseMs: LEASE_MS });
  onTestFinished(() => work.stop());
  work.start();
}

const finished = (mongo: Mongo, record: CopyRecord) =>
  eventually(async () => expect(await findCopy(mongo, record)).toMatchObject({ status: "copied" }));

describe.each<Stage>(["preparing", "saving"])(
  "a worker that is interrupted while it is %s a chunk",
  { timeout: 600_000 },
  (stage) => {
    it("after a kill, another worker continues from the saved progress, and each chunk is done once", async () => {
      const mongo = await freshMongo();
      const record = await newCopy(mongo, { total: 60 });
      const child = startChild(mongo, stage, 30);
      await child.printed("here");
      const exited = once(child.process, "exit");
      child.process.kill("SIGKILL");
      await exited;
      expect(await findCopy(mongo, record)).toMatchObject({ progress: { done: 30, total: 60 } });
      startWorker(mongo);
      await finished(mongo, record);
      expect(await copied(mongo, record)).toEqual(upTo(60));
    });

    it("after a freeze longer than the lease, another worker finishes, and the late chunk is not saved", async () => {
      const mongo = await freshMongo();
      const record = await newCopy(mongo, { total: 60 });
      const child = startChild(mongo, stage, 30);
      await child.printed("here");
      child.process.kill("SIGSTOP");
      startWorker(mongo);
      await finished(mongo, record);
      const before = await findCopy(mongo, record);
      child.process.stdin?.write("continue\n");
      child.process.kill("SIGCONT");
      await child.printed("taken over or cancelled");
      expect(await copied(mongo, record)).toEqual(upTo(60));
      expect(await findCopy(mongo, record)).toEqual(before);
    });
  },
);
