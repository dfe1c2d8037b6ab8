import { notFound, sleep } from "@asset-register/runtime";
import { createClaims, type WorkKey } from "./long-work/claims.ts";
import { longWorkFigures } from "./long-work/figures.ts";
import type { LongWorkSettings, WorkRecord } from "./long-work/record.ts";
import { asRecord, createRun } from "./long-work/run.ts";
import { createWorker } from "./long-work/worker.ts";
import type { Mongo } from "./mongo.ts";
import { ensureSystemIndexes } from "./system.ts";

/** A caller waits no longer than this for the final state (architecture: what takes longer answers 202). */
const BUDGET_MS = 2_000;
/** How often a caller looks at what a worker does for it. */
const LOOK_MS = 50;

export type LongWork<T extends WorkRecord> = {
  /** Begins to work on what waits, whoever made it. For processes with the worker's role. */
  start(): void;
  /** Ends after the chunks under way, and leaves the rest to others at once. */
  stop(): Promise<void>;
  /**
   * Works on a record that was just made, in this call, until it is finished or the budget is over, and
   * answers it as it stands then; the rest is done by a worker. A step's failure shows in the record.
   * @throws AppError not_found when there is no such record, unavailable when the database is away
   */
  finishQuickly(record: WorkKey, budgetMs?: number): Promise<T>;
};

/** Indexes for a collection of records that are worked on; for its migration. */
export function ensureLongWorkIndexes(mongo: Mongo, collection: string): Promise<void> {
  return ensureSystemIndexes(mongo, collection, [
    { name: "long_work_waiting", key: { status: 1, "work.leaseUntil": 1, _id: 1 } },
    { name: "long_work_of_workspace", key: { workspaceId: 1, status: 1 } },
  ]);
}

/**
 * Work on records of a collection that outlasts a call: chunk by chunk, each saved in one transaction with
 * the record's progress, by one process at a time, and by another one after a kill.
 */
export function createLongWork<T extends WorkRecord>(settings: LongWorkSettings<T>): LongWork<T> {
  const { logger, leaseMs = 15_000, perWorkspace = 2, concurrency = 4 } = settings;
  const { sweepMs = 1_000, sliceMs = 10_000, drainMs = 5_000 } = settings;
  const statuses = Object.keys(settings.statuses);
  const claims = createClaims(settings.mongo, { ...settings, statuses, leaseMs, perWorkspace });
  const figures = longWorkFigures(settings.metrics, settings.collection, claims, logger);
  const run = createRun({ ...settings, claims, figures, leaseMs });
  const stopping = new AbortController();
  const aborting = new AbortController();
  const calls = new Set<Promise<unknown>>();
  let working: Promise<void> | undefined;

  const work = async (claimed: Parameters<typeof run>[0], until: number): Promise<void> => {
    const goOn = () => performance.now() < until && !stopping.signal.aborted;
    try {
      await run(claimed, { signal: aborting.signal, goOn });
    } catch (error) {
      logger.warn({ err: error, record: claimed._id }, "long work is left until its lease ends");
    }
  };
  const worker = createWorker({
    ...{ claims, concurrency, sweepMs, logger },
    work: (claimed) => work(claimed, performance.now() + sliceMs),
  });

  /** Claims and works if nobody else does; the worker goes on with what is left. */
  async function workNow(key: WorkKey, until: number): Promise<void> {
    const claimed = await claims.claim(key).catch((error: unknown) => {
      logger.debug({ err: error, record: key._id }, "not claimed, the worker does it");
      return undefined;
    });
    if (claimed !== undefined) await work(claimed, until);
    worker.nudge();
  }

  function tracked(call: Promise<void>): Promise<void> {
    calls.add(call);
    return call.finally(() => calls.delete(call));
  }

  return {
    start() {
      working ??= worker.run(stopping.signal);
    },
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
      if (!stopping.signal.aborted) await within(budgetMs, tracked(workNow(key, until)));
      for (;;) {
        const record = await claims.find(key);
        if (record === null) throw notFound();
        const elsewhere = statuses.includes(record.status) && record.work?.leaseHolder != null;
        if (!elsewhere || performance.now() >= until) return asRecord<T>(record);
        await sleep(LOOK_MS);
      }
    },
  };
}

/** Waits for as long; what is late goes on by itself. */
async function within(ms: number, call: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([call, late.promise]);
  clearTimeout(timer);
}
