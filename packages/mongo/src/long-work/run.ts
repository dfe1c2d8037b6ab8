import { backoff, type Logger, toAppError } from "@asset-register/runtime";
import { isContentFailure } from "../content-failure.ts";
import type { Lease } from "../lease.ts";
import { LeaseLostError, runLeased } from "../run-leased.ts";
import { type Claimed, type Claims, unclaimed, type WorkKey } from "./claims.ts";
import type { Figures } from "./figures.ts";
import type { Chunk, Effects, LongWorkSettings, WorkRecord } from "./record.ts";

/** A service that is away is asked again within a minute of its return. */
const RETRY = { baseMs: 500, maxMs: 60_000 };

type RunSettings<T extends WorkRecord> = Pick<
  LongWorkSettings<T>,
  "mongo" | "collection" | "statuses" | "step" | "failed" | "logger"
> & { claims: Claims; figures: Figures; leaseMs: number };

export type Run = (claimed: Claimed, options: { signal: AbortSignal; goOn: () => boolean }) => Promise<void>;

/**
 * Works on a claimed record, chunk by chunk, until it is finished, fails, is lost, or `goOn` says no; then
 * lets go of it. Fails only as the database does.
 */
export function createRun<T extends WorkRecord>(settings: RunSettings<T>): Run {
  const { claims, figures, statuses, step, failed, leaseMs } = settings;
  const log = (record: WorkKey): Logger =>
    settings.logger.child({ record: record._id, workspace_id: record.workspaceId });

  async function save(record: Claimed, to: { status: string } & Partial<Chunk<T>>, error?: WorkError) {
    const change = {
      $set: { ...to.set, ...stateOf(to, error), ...(to.status in statuses ? {} : unclaimed) },
      ...(to.inc === undefined ? {} : { $inc: to.inc }),
    };
    return settings.mongo.transaction({}, async (session) => {
      // First: from here on nobody can take the record over until this is committed, or refused.
      const after = await claims.update(record, change, session);
      if (after?.work === undefined) throw new LeaseLostError(nameOf(settings.collection, record));
      await to.save?.(session, asRecord<T>(after));
      return { ...after, work: after.work };
    });
  }

  async function work(claimed: Claimed, signal: AbortSignal, goOn: () => boolean): Promise<void> {
    let record = claimed;
    try {
      while (record.status in statuses && goOn() && !signal.aborted) {
        const chunk = await step(asRecord<T>(record), { signal });
        record = await save(record, { status: record.status, ...chunk });
        figures.count("saved");
      }
      if (!(record.status in statuses)) log(record).info({ status: record.status }, "long work finished");
    } catch (error) {
      await settle(record, error, signal);
    }
  }

  async function settle(record: Claimed, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof LeaseLostError) {
      log(record).info({ err: error }, "long work was taken over or called off");
    } else if (isContentFailure(error)) {
      await fail(record, error).catch((late: unknown) => tryLater(record, late, signal));
    } else {
      await tryLater(record, error, signal);
    }
  }

  async function tryLater(record: Claimed, error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { attempts } = record.work;
    figures.count("retried");
    log(record).warn({ err: error, attempts }, "a step of long work failed, it is tried again");
    await claims.release(record, { delayMs: backoff(attempts, RETRY), attempts: 1 });
  }

  async function fail(record: Claimed, cause: unknown): Promise<void> {
    const error = toAppError(cause);
    const { code, message } = error;
    const effects: Effects<T> = failed?.(asRecord<T>(record), error) ?? {};
    const status = statuses[record.status]?.failed ?? record.status;
    log(record).warn({ err: error, status }, "long work failed");
    try {
      await save(record, { ...effects, status }, { code, message });
      figures.count("failed");
    } catch (late) {
      if (!(late instanceof LeaseLostError)) throw late;
    }
  }

  return async (claimed, { signal, goOn }) => {
    const lease: Lease = {
      name: nameOf(settings.collection, claimed),
      holder: claimed.work.leaseHolder ?? "",
      ttlMs: leaseMs,
      acquire: async () => true,
      renew: () => claims.renew(claimed),
      release: () => claims.release(claimed),
      token: () => claimed.work.token,
    };
    await runLeased(lease, (held) => work(claimed, held, goOn), { signal });
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

/** The name of the collection says what its documents are: to the driver, too, their type is only a claim. */
export const asRecord = <T extends WorkRecord>(record: WorkRecord): T => record as T;
