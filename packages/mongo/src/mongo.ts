import type { KeyedCall } from "@asset-register/rpc";
import type { Connection, Model, mongo, Schema } from "mongoose";
import type { CountCache, Total } from "./count-cache.ts";
import type { TenantCollection, TenantDocument } from "./guard/collection.ts";
import type { Caller } from "./guard/transaction-rules.ts";
import type { LeaseBatches } from "./lease-batches.ts";
import type { ReadTurns } from "./read-turns.ts";

export type ClientSession = mongo.ClientSession;

/** The properties of a call that a transaction needs. Use `{}` for work without a caller. */
export type TransactionCall = {
  /** Present when the caller sent an Idempotency-Key. */
  keyed?: KeyedCall | undefined;
  /** Nothing is committed after this time. */
  deadline?: Date | undefined;
  /** The workspace of a user or API key is the only one whose documents it uses. Other work may have batches of several. */
  principal?: Caller | undefined;
};

/** The database of a service. `connectMongo` creates it, once in a process. */
export type Mongo = {
  /** The guarded connection: its models and collections refuse queries without workspace. It has no raw handles. */
  connection: Connection;
  database: string;
  /** A guarded native collection of documents that belong to workspaces. */
  collection<T extends TenantDocument>(name: string): TenantCollection<T>;
  /** A guarded mongoose model of such a collection. */
  model<T extends TenantDocument>(name: string, schema: Schema<T>, collection: string): Model<T>;
  /**
   * Runs `fn` in a transaction with snapshot reads and journaled majority writes. After a write conflict it
   * runs `fn` again. With `call.keyed` it stores the answer under the key in the same transaction.
   *
   * @throws AppError unavailable if the database is unavailable, or TIMED_OUT if the time is up before the commit
   */
  transaction<T>(call: TransactionCall, fn: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Whether the database responds within 2 s. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
  readonly [internals]: Internals;
};

/** A keyed call and its result. */
export type KeyedAnswer = { keyed: KeyedCall; result: unknown };

/** Stores the answers of keyed calls. `createIdempotencyStore` attaches it. */
export type KeyedAnswers = {
  /** Inserts the row of the key. The returned function stores the result in the row. */
  claim(session: ClientSession, keyed: KeyedCall): Promise<(result: unknown) => Promise<void>>;
  /** Inserts the rows of keys with their results. */
  insert(session: ClientSession, answers: readonly KeyedAnswer[]): Promise<void>;
  /** Replaces the answer of a key. Does nothing if its row is missing. */
  replace(keyed: KeyedCall, result: unknown): Promise<void>;
  /** Whether the error means that the key already has a row. */
  isTaken(error: unknown): boolean;
  /** Resolves when the existing row of the key is visible to majority reads. */
  waitUntilVisible(session: ClientSession, keyed: KeyedCall): Promise<void>;
};

/** @throws Error if the service has no store of answers */
export function requireAnswers(answers: KeyedAnswers | undefined): KeyedAnswers {
  if (answers !== undefined) return answers;
  throw new Error("A keyed call needs createIdempotencyStore(mongo, keyring) at start.");
}

/** Key of the unguarded parts, for this package only: no entry point exports it. */
export const internals: unique symbol = Symbol("unguarded internals of Mongo");

export type Internals = {
  readonly db: mongo.Db;
  readonly counts: CountCache<Total>;
  readonly turns: ReadTurns;
  readonly leases: LeaseBatches;
  answers: KeyedAnswers | undefined;
};
