import { eventually } from "@asset-register/harness";
import { createLogger, createMetrics, newId } from "@asset-register/runtime";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from "vitest";
import { createLongWork, ensureLongWorkIndexes, type Mongo, type WorkRecord } from "../src/index.ts";
import type { LongWorkSettings } from "../src/long-work/record.ts";
import { systemCollection } from "../src/system.ts";
import { connectFresh } from "./connect.ts";

/** Long work with a countable result: each number up to `progress.total` becomes a row. `by` names the worker. */
export type CopyRecord = WorkRecord & { chunk: number; rev: number };
export type CopyRow = { _id: string; workspaceId: string; record: string; n: number; by: string };

export type Stage = "preparing" | "saving";

export type CopyingOptions = Partial<
  Omit<LongWorkSettings<CopyRecord>, "mongo" | "collection" | "statuses">
> & {
  by?: string;
  /** Called and awaited at each stage of each chunk. `done` is the progress before the chunk. */
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

/** Inserts a record that waits for processing. */
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

/** The copied numbers in order. Each number is expected once. */
export async function copied(mongo: Mongo, { _id, workspaceId }: CopyRecord): Promise<number[]> {
  const rows = mongo.collection<CopyRow>("rows").find({ workspaceId, record: _id });
  return (await rows.toArray()).map(({ n }) => n).sort((a, b) => a - b);
}

export const upTo = (total: number): number[] => Array.from({ length: total }, (_, n) => n);

/** Creates collections and indexes like a migration, so that no transaction has to create them. */
export async function prepareCopies(mongo: Mongo): Promise<void> {
  await ensureLongWorkIndexes(mongo, "copies");
  await systemCollection<CopyRow>(mongo, "rows").createIndex({ workspaceId: 1, record: 1 });
}

/** A budget that is never exceeded, for tests of other things on a busy machine. */
export const LONG_BUDGET_MS = 60_000;
export const LONG_WAIT = { timeoutMs: 120_000 };

/** A gate that blocks callers until `open`. `at` contains the names of the callers. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const at: string[] = [];
  const pass = (what: string) => {
    at.push(what);
    return promise;
  };
  return { at, open: resolve, pass };
}

/** Creates a database for the test file. It has no waiting records when a test begins. */
export function useCopies() {
  let db: Mongo;
  beforeAll(async () => {
    db = await connectFresh();
    await prepareCopies(db);
  });
  afterAll(() => db.close());
  // Workers process any waiting record, so no records of the previous test may remain.
  beforeEach(async () => {
    await systemCollection<CopyRecord>(db, "copies").deleteMany({});
  });
  return {
    get db() {
      return db;
    },
    /** The returned work is stopped at the end of the test. */
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
      }, LONG_WAIT),
  };
}
