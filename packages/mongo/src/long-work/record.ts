import type { AppError, Logger, Metrics } from "@asset-register/runtime";
import type { TenantDocument } from "../guard/collection.ts";
import type { ClientSession, Mongo } from "../mongo.ts";

export type Progress = { done: number; total: number };

/** The state of the work on a record. Only this package writes it; operations never change it. */
export type WorkState = {
  leaseHolder: string | null;
  leaseUntil: Date;
  /** Increases with each claim. A chunk of an older claim is not saved. */
  token: number;
  /** Consecutive failures that the content of the record did not cause. */
  attempts: number;
  /** Why the record failed, as a message for the caller. It is removed when the work starts again. */
  error?: { code: string; message: string };
};

/**
 * A record with long work. It is processed while its status is a working status. To start or restart the work,
 * write such a status and `progress`.
 */
export type WorkRecord = TenantDocument & { status: string; progress: Progress; work?: WorkState };

/** The writes that are made in one transaction with the state of the record. */
export type Effects<T extends WorkRecord> = {
  /** Fields of the record to set, for example a cursor. Other fields keep their current values. */
  set?: Partial<Omit<T, keyof WorkRecord>>;
  /** Numbers to add to fields of the record, for example to its `rev`. */
  inc?: Readonly<Record<string, number>>;
  /** All other writes. It gets the record after this chunk. MongoDB may run it more than once. */
  save?(session: ClientSession, record: T): Promise<void>;
};

/** The outcome of one step. */
export type Chunk<T extends WorkRecord> = Effects<T> & {
  progress: Progress;
  /** The next status. The last step must set it. */
  status?: string;
  /**
   * The next step runs this much later, by the clock of the database. Meanwhile no process holds the record, and it
   * does not count for `perWorkspace`.
   */
  waitMs?: number;
};

/** The signal is aborted if another process has taken over, or if this process stops. */
export type StepCall = { signal: AbortSignal };

/**
 * Prepares one chunk: reads its input, also from other services, and returns the writes. A chunk should take a
 * second or less.
 */
export type Step<T extends WorkRecord> = (record: T, call: StepCall) => Promise<Chunk<T>>;

export type LongWorkSettings<T extends WorkRecord> = {
  mongo: Mongo;
  collection: string;
  /** The working statuses, and for each the status after a failure by content. */
  statuses: Readonly<Record<string, { failed: string }>>;
  step: Step<T>;
  /** Returns the additional writes of a failure by content, and the status if it depends on the record. */
  failed?: ((record: T, error: AppError) => Effects<T> & { status?: string }) | undefined;
  logger: Logger;
  metrics: Metrics;
  /** Duration of a lease, which is renewed after each third. A record waits this long after a kill. Default: 15 s. */
  leaseMs?: number | undefined;
  /** Maximum of records of one workspace that are processed at the same time, in all processes. Default: 2. */
  perWorkspace?: number | undefined;
  /** Maximum of records that the worker of this process handles at the same time. Default: 4. */
  concurrency?: number | undefined;
  /**
   * Interval of the search for records that other processes have created or left. While none is found, it grows up to
   * its double. Default: 1 s.
   */
  sweepMs?: number | undefined;
  /** After this time the worker releases a record, so that others get their turn. Default: 10 s. */
  sliceMs?: number | undefined;
  /** `stop` waits this long for the current chunks, then it aborts their steps. Default: 5 s. */
  drainMs?: number | undefined;
};
