import { backoff, type Logger, toAppError } from "@asset-register/runtime";
import { isContentFailure } from "../content-failure.ts";
import type { Lease } from "../lease.ts";
import { LeaseLostError, runLeased } from "../run-leased.ts";
import { type Claimed, type Claims, unclaimed, type WorkKey } from "./claims.ts";
import type { LongWorkMetrics } from "./metrics.ts";
import type { Chunk, LongWorkSettings, WorkRecord } from "./record.ts";

/** Delays of the retries. They are at most a minute, so work continues within a minute after an outage. */
const RETRY = { baseMs: 500, maxMs: 60_000 };

type RunSettings<T extends WorkRecord> = Pick<
  LongWorkSettings<T>,
  "mongo" | "collection" | "statuses" | "step" | "failed" | "logger"
> & { claims: Claims; metrics: LongWorkMetrics; leaseMs: number };

export type Run = (
  claimed: Claimed,
  options: { signal: AbortSignal; mayContinue: () => boolean },
) => Promise<void>;

/**
 * Creates the function that processes a claimed record, chunk by chunk. It stops when the record is finished,
 * fails or is lost, or when `mayContinue` returns false, and then releases the record. It throws only if the
 * database is unavailable.
 */
export function createRun<T extends WorkRecord>(settings: RunSettings<T>): Run {
  const { claims, metrics, statuses, step, failed, leaseMs } = settings;
  const log = (record: WorkKey): Logger =>
    settings.logger.child({ record: record._id, workspace_id: record.workspaceId });

  async function save(record: Claimed, to: { status: string } & Partial<Chunk<T>>, error?: WorkError) {
    const change = {
      $set: { ...to.set, ...stateOf(to, error), ...(to.status in statuses ? {} : unclaimed) },
      ...(to.inc === undefined ? {} : { $inc: to.inc }),
    };
    return settings.mongo.transaction({}, async (session) => {
      // First: from here on no other process can claim the record until this transaction ends.
      const after = await claims.update(record, change, session);
      if (after?.work === undefined) throw new LeaseLostError(nameOf(settings.collection, record));
      await to.save?.(session, asRecord<T>(after));
      if (to.waitMs !== undefined) await claims.postpone(record, to.waitMs, session);
      return { ...after, work: after.work };
    });
  }

  async function work(claimed: Claimed, signal: AbortSignal, mayContinue: () => boolean): Promise<void> {
    let record = claimed;
    try {
      while (record.status in statuses && mayContinue() && !signal.aborted) {
        const chunk = await step(asRecord<T>(record), { signal });
        record = await save(record, { status: record.status, ...chunk });
        metrics.count("saved");
        if (chunk.waitMs !== undefined) return;
      }
      if (!(record.status in statuses)) log(record).info({ status: record.status }, "long work finished");
    } catch (error) {
      await handleFailure(record, error, signal);
    }
  }

  async function handleFailure(record: Claimed, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof LeaseLostError) {
      log(record).info({ err: error }, "long work was taken over or cancelled");
    } else if (isContentFailure(error)) {
      await fail(record, error).catch((late: unknown) => retryLater(record, late, signal));
    } else {
      await retryLater(record, error, signal);
    }
  }

  async function retryLater(record: Claimed, error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { attempts } = record.work;
    metrics.count("retried");
    log(record).warn({ err: error, attempts }, "a step of long work failed, it is retried");
    await claims.release(record, { delayMs: backoff(attempts, RETRY), attempts: 1 });
  }

  async function fail(record: Claimed, cause: unknown): Promise<void> {
    const error = toAppError(cause);
    const { code, message } = error;
    const usual = statuses[record.status]?.failed ?? record.status;
    const { status = usual, ...effects } = failed?.(asRecord<T>(record), error) ?? {};
    log(record).warn({ err: error, status }, "long work failed");
    try {
      await save(record, { ...effects, status }, { code, message });
      metrics.count("failed");
    } catch (late) {
      if (!(late instanceof LeaseLostError)) throw late;
    }
  }

  return async (claimed, { signal, mayContinue }) => {
    const lease: Lease = {
      name: nameOf(settings.collection, claimed),
      holder: claimed.work.leaseHolder ?? "",
      ttlMs: leaseMs,
      acquire: async () => true,
      renew: () => claims.renew(claimed),
      release: () => claims.release(claimed),
      token: () => claimed.work.token,
    };
    await runLeased(lease, (held) => work(claimed, held, mayContinue), { signal });
  };
}

type WorkError = { code: string; message: string };

function stateOf(to: { status: string; progress?: Chunk<WorkRecord>["progress"] }, error?: WorkError) {
  return {
    status: to.status,
    "work.attempts": 0,
    ...(to.progress === undefined ? {} : { progress: to.progress }),
    ...(error === undefined ? {} : { "work.error": error }),
  };
}

const nameOf = (collection: string, { _id }: WorkKey): string => `${collection} ${_id}`;

/** Nothing can check the type of the documents: as in the driver, the caller declares it for the collection. */
export const asRecord = <T extends WorkRecord>(record: WorkRecord): T => record as T;
