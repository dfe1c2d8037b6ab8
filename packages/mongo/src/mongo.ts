import type { KeyedCall } from "@asset-register/rpc";
import type { Connection, Model, mongo, Schema } from "mongoose";
import type { CountCache } from "./count-cache.ts";
import type { TenantCollection, TenantDocument } from "./guard/collection.ts";

export type ClientSession = mongo.ClientSession;

/** What a transaction wants to know of the call that it serves; a plain `{}` for work without a caller. */
export type TransactionCall = {
  /** Present when the caller sent an Idempotency-Key. */
  keyed?: KeyedCall | undefined;
  /** No attempt is begun after it. */
  deadline?: Date | undefined;
};

/** A service's own database. Made by `connectMongo`, once a process. */
export type Mongo = {
  /** Guarded as well: models and collections of it refuse what names no workspace; it gives out no raw handle. */
  connection: Connection;
  database: string;
  /** A native collection of documents that belong to workspaces, behind the guard. */
  collection<T extends TenantDocument>(name: string): TenantCollection<T>;
  /** A mongoose model over such a collection, behind the same guard. */
  model<T extends TenantDocument>(name: string, schema: Schema<T>, collection: string): Model<T>;
  /**
   * Runs `fn` in a transaction (snapshot reads, majority and journaled writes), again when it met a
   * conflict. With `call.keyed` the answer is stored under the key in the same transaction.
   * @throws AppError unavailable when the database is away or the time is up
   */
  transaction<T>(call: TransactionCall, fn: (session: ClientSession) => Promise<T>): Promise<T>;
  /** Whether the database answers now, within 2 s. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
  readonly [internals]: Internals;
};

/** Keeps answers of keyed calls; attached by `createIdempotencyStore`. */
export type KeyedAnswers = {
  /** Inserts the row of the key; what it answers stores the result in it. */
  claim(session: ClientSession, keyed: KeyedCall): Promise<(result: unknown) => Promise<void>>;
  /** Replaces what a key answers. Nothing happens when its row is gone. */
  replace(keyed: KeyedCall, result: unknown): Promise<void>;
  /** Whether the error says that the key has a row already. */
  taken(error: unknown): boolean;
  /** Returns when the row that a claim met is visible to majority reads. */
  settled(session: ClientSession, keyed: KeyedCall): Promise<void>;
};

/** The unguarded side, for this package alone: the key is exported by no entry point. */
export const internals: unique symbol = Symbol("the unguarded side of a Mongo");

export type Internals = {
  readonly db: mongo.Db;
  readonly counts: CountCache;
  answers: KeyedAnswers | undefined;
};
