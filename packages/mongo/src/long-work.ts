import { notFound, runWithoutDeadline, sleep } from "@asset-register/runtime";
import { createClaims, type WorkKey } from "./long-work/claims.ts";
import { createLongWorkMetrics } from "./long-work/metrics.ts";
import type { LongWorkSettings, WorkRecord } from "./long-work/record.ts";
import { asRecord, createRun } from "./long-work/run.ts";
import { createWorker } from "./long-work/worker.ts";
import type { Mongo } from "./mongo.ts";
import { ensureSystemIndexes } from "./system.ts";

/** Maximum wait of a caller for the final state. ARCHITECTURE.md: a call that takes longer answers 202. */
const BUDGET_MS = 2_000;
/** Poll interval of a caller while a worker processes its record. */
const POLL_MS = 50;

export type LongWork<T extends WorkRecord> = {
  /** Starts the worker, which processes waiting records of all processes. For processes with the role `worker`. */
  start(): void;
  /** Resolves after the current chunks. Other processes can continue with the records immediately. */
  stop(): Promise<void>;
  /** Makes the worker of this process search for waiting records now. Call it when one is committed. */
  wake(): void;
  /**
   * Processes a new record in this call until it is finished or the budget (default: 2 s) is over. Returns the
   * record in its current state. A worker does the rest. The failure of a step is stored in the record.
   *
   * @throws AppError not_found if the record is missing, unavailable if the database is unavailable
   */
  finishQuickly(record: WorkKey, budgetMs?: number): Promise<T>;
};

/** Creates the indexes that a collection with long work needs. Call it in a migration. */
export function ensureLongWorkIndexes(mongo: Mongo, collection: string): Promise<void> {
  return ensureSystemIndexes(mongo, collection, [
    { name: "long_work_waiting", key: { status: 1, "work.leaseUntil": 1, _id: 1 } },
    { name: "long_work_of_workspace", key: { workspaceId: 1, status: 1 } },
  ]);
}

/**
 * Processes records of a collection with work that takes longer than a call. One process at a time works on a
 * record, chunk by chunk. Each chunk is saved in one transaction with the progress of the record. After a kill
 * another process continues.
 */
export function createLongWork<T extends WorkRecord>(settings: LongWorkSettings<T>): LongWork<T> {
  const { logger, leaseMs = 15_000, perWorkspace = 2, concurrency = 4 } = settings;
  const { sweepMs = 1_000, sliceMs = 10_000, drainMs = 5_000 } = settings;
  const statuses = Object.keys(settings.statuses);
  const claims = createClaims(settings.mongo, { ...settings, statuses, leaseMs, perWorkspace });
  const metrics = createLongWorkMetrics(settings.metrics, settings.collection, claims, logger);
  const run = createRun({ ...settings, claims, metrics, leaseMs });
  const stopping = new AbortController();
  const aborting = new AbortController();
  const calls = new Set<Promise<unknown>>();
  let working: Promise<void> | undefined;

  const work = async (claimed: Parameters<typeof run>[0], until: number): Promise<void> => {
    const mayContinue = () => performance.now() < until && !stopping.signal.aborted;
    try {
      await run(claimed, { signal: aborting.signal, mayContinue });
    } catch (error) {
      logger.warn({ err: error, record: claimed._id }, "long work interrupted until its lease expires");
    }
  };
  const worker = createWorker({
    ...{ claims, concurrency, sweepMs, logger },
    work: (claimed) => work(claimed, performance.now() + sliceMs),
  });

  /** Claims and processes a record unless another process has claimed it. The worker does the rest. */
  async function workNow(key: WorkKey, until: number): Promise<void> {
    const claimed = await claims.claim(key).catch((error: unknown) => {
      logger.debug({ err: error, record: key._id }, "record not claimed, the worker will process it");
      return undefined;
    });
    if (claimed !== undefined) await work(claimed, until);
    worker.wake();
  }

  function tracked(call: Promise<void>): Promise<void> {
    calls.add(call);
    return call.finally(() => calls.delete(call));
  }

  return {
    start() {
      working ??= worker.run(stopping.signal);
    },
    wake: worker.wake,
    async stop() {
      stopping.abort();
      const late = setTimeout(() => aborting.abort(), drainMs);
      try {
        await Promise.all([working, ...calls]);
      } finally {
        clearTimeout(late);
      }
    },
    async finishQuickly(key, budgetMs = BUDGET_MS) {
      const until = performance.now() + budgetMs;
      // A chunk may end after the call.
      const workOn = () => runWithoutDeadline(() => workNow(key, until));
      if (!stopping.signal.aborted) await within(budgetMs, tracked(workOn()));
      for (;;) {
        const record = await claims.find(key);
        if (record === null) throw notFound();
        const elsewhere = statuses.includes(record.status) && record.work?.leaseHolder != null;
        if (!elsewhere || performance.now() >= until) return asRecord<T>(record);
        await sleep(POLL_MS);
      }
    },
  };
}

/** Waits for the call, at most `ms`. The call continues after that. */
async function within(ms: number, call: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([call, late.promise]);
  clearTimeout(timer);
}
