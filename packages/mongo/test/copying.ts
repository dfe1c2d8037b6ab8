import { eventually } from "@asset-register/harness";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from "vitest";
import { createLongWork, ensureLongWorkIndexes, type Mongo, type WorkRecord } from "../src/index.ts";
import type { LongWorkSettings } from "../src/long-work/record.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh } from "./connect.ts";

/** Work that is easily counted: each number up to `progress.total` becomes a row, by whoever gets there. */
export type CopyRecord = WorkRecord & { chunk: number; rev: number };
export type CopyRow = { _id: string; workspaceId: string; record: string; n: number; by: string };

export type Stage = "preparing" | "saving";

export type CopyingOptions = Partial<
  Omit<LongWorkSettings<CopyRecord>, "mongo" | "collection" | "statuses">
> & {
  by?: string;
  /** Awaited at each stage of each chunk, with the numbers that are done before it. */
  reached?: (stage: Stage, done: number, signal: AbortSignal) => Promise<void>;
};

const silent = createLogger({ service: "long-work-test", level: "silent" });

export function createCopying(mongo: Mongo, { by = "me", reached, ...settings }: CopyingOptions = {}) {
  const rows = mongo.collection<CopyRow>("rows");
  return createLongWork<CopyRecord>({
    ...{ mongo, collection: "copies", statuses: { copying: { failed: "failed" } } },
    logger: silent,
    metrics: createMetrics({ service: "long-work-test" }),
    sweepMs: 50,
    failed: () => ({ inc: { rev: 1 } }),
    async step({ _id, workspaceId, progress: { done, total }, chunk }, { signal }) {
      await reached?.("preparing", done, signal);
      const next = Math.min(done + chunk, total);
      return {
        progress: { done: next, total },
        ...(next === total ? { status: "copied", inc: { rev: 1 } } : {}),
        async save(session) {
          const numbers = Array.from({ length: next - done }, (_, index) => done + index);
          const made = numbers.map((n) => ({ _id: newId("row"), workspaceId, record: _id, n, by }));
          await rows.insertMany(made, { session });
          await reached?.("saving", done, signal);
        },
      };
    },
    ...settings,
  });
}

/** Makes a record that waits to be worked on. */
export async function newCopy(
  mongo: Mongo,
  { total = 100, chunk = 10, workspaceId = newId("wsp") } = {},
): Promise<CopyRecord> {
  const state = { status: "copying", progress: { done: 0, total } };
  const record = { _id: newId("cpy"), workspaceId, chunk, rev: 1, ...state };
  await mongo.collection<CopyRecord>("copies").insertOne({ ...record });
  return record;
}

export function findCopy(mongo: Mongo, { _id, workspaceId }: CopyRecord): Promise<CopyRecord | null> {
  return mongo.collection<CopyRecord>("copies").findOne({ _id, workspaceId });
}

/** The numbers that were copied, in order: each one once when all went well. */
export async function copied(mongo: Mongo, { _id, workspaceId }: CopyRecord): Promise<number[]> {
  const rows = mongo.collection<CopyRow>("rows").find({ workspaceId, record: _id });
  return (await rows.toArray()).map(({ n }) => n).sort((a, b) => a - b);
}

export const upTo = (total: number): number[] => Array.from({ length: total }, (_, n) => n);

/** Collections and indexes as a migration makes them, so that no transaction has to. */
export async function prepareCopies(mongo: Mongo): Promise<void> {
  await ensureLongWorkIndexes(mongo, "copies");
  await systemCollection<CopyRow>(mongo, "rows").createIndex({ workspaceId: 1, record: 1 });
}

/** For what is not about the budget, on a machine that is busy with other things. */
export const PATIENT_MS = 60_000;
export const PATIENCE = { timeoutMs: 120_000 };

/** A place to stop at, and what has come there. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const at: string[] = [];
  const pass = (what: string) => {
    at.push(what);
    return promise;
  };
  return { at, open: resolve, pass };
}

/** A database of the test file's own, in which nothing waits when a test begins. */
export function useCopies() {
  let db: Mongo;
  beforeAll(async () => {
    db = await connectFresh();
    await prepareCopies(db);
  });
  afterAll(() => db.close());
  // Workers take whatever waits, so that nothing may be left of the test before.
  beforeEach(async () => {
    await systemCollection<CopyRecord>(db, "copies").deleteMany({});
  });
  return {
    get db() {
      return db;
    },
    /** Stops with the test. */
    copying(options: CopyingOptions = {}) {
      const work = createCopying(db, options);
      onTestFinished(() => work.stop());
      return work;
    },
    finished: (record: CopyRecord) =>
      eventually(async () => {
        const found = await findCopy(db, record);
        expect(found).toMatchObject({ status: "copied" });
        return found;
      }, PATIENCE),
  };
}
