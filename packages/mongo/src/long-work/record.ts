import type { AppError, Logger, Metrics } from "@asset-register/runtime";
import type { TenantDocument } from "../guard/collection.ts";
import type { ClientSession, Mongo } from "../mongo.ts";

export type Progress = { done: number; total: number };

/** Who works on a record, kept by the mechanism alone: operations leave it as it is. */
export type WorkState = {
  leaseHolder: string | null;
  leaseUntil: Date;
  /** Grows with each claim. What is saved under an older one is refused. */
  token: number;
  /** Failures in a row that are not the record's fault. */
  attempts: number;
  /** Why the record failed for good, in words for the caller; gone when it is worked on again. */
  error?: { code: string; message: string };
};

/**
 * A record that is worked on while its status is one of the working ones. To make one, or to send it back
 * to work, is to write such a status and `progress`.
 */
export type WorkRecord = TenantDocument & { status: string; progress: Progress; work?: WorkState };

/** What is written in one transaction with the state of the record. */
export type Effects<T extends WorkRecord> = {
  /** Fields of the record: a cursor, say. Others that were written meanwhile stay. */
  set?: Partial<Omit<T, keyof WorkRecord>>;
  /** Numbers to add to fields of the record: its `rev`, say. */
  inc?: Readonly<Record<string, number>>;
  /** All other writes. Gets the record as it is after this chunk; MongoDB may run it more than once. */
  save?(session: ClientSession, record: T): Promise<void>;
};

/** The outcome of one step. */
export type Chunk<T extends WorkRecord> = Effects<T> & {
  progress: Progress;
  /** Where the record goes when this part of the work is finished: the last step must say it. */
  status?: string;
};

/**
 * Prepares one chunk: reads what it needs, of other services too, and answers what to write. A second
 * or less of work is best. The signal is aborted when somebody else has taken over or the process ends.
 */
export type Step<T extends WorkRecord> = (record: T, context: { signal: AbortSignal }) => Promise<Chunk<T>>;

export type LongWorkSettings<T extends WorkRecord> = {
  mongo: Mongo;
  collection: string;
  /** The working statuses, and where each goes when the work fails by its content. */
  statuses: Readonly<Record<string, { failed: string }>>;
  step: Step<T>;
  /** What is written along when the work fails by its content. */
  failed?: ((record: T, error: AppError) => Effects<T>) | undefined;
  logger: Logger;
  metrics: Metrics;
  /** Life of a lease; it is renewed each third. How long a record waits after a kill. */
  leaseMs?: number | undefined;
  /** Records at once of one workspace, in all processes together. */
  perWorkspace?: number | undefined;
  /** Records at once in this process's worker. */
  concurrency?: number | undefined;
  /** How often records are looked for that another process has made or left. */
  sweepMs?: number | undefined;
  /** After this time a record gives way to one that has waited for longer. */
  sliceMs?: number | undefined;
  /** How long a stop waits for the chunks under way, before it aborts their steps. */
  drainMs?: number | undefined;
};
