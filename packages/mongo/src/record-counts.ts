import { isDeepStrictEqual } from "node:util";
import { createSharedReads } from "@asset-register/runtime";
import type { ClientSession, Mongo } from "./mongo.ts";
import { createShardTurns } from "./shard-turns.ts";

/** One of the rows whose sum is the number of counted records of a workspace in a collection. */
type CountRow = { _id: string; workspaceId: string; collection: string; n: number };

/** With one row, all transactions that create a record in a workspace would conflict. */
const SHARDS = 64;

export const countRecords = {
  collection: "record_counts",
  indexes: [{ name: "list", key: { workspaceId: 1, collection: 1 } }],
} as const;

type Values = Readonly<Record<string, unknown>>;

type Document = Values & { _id: string };

/** The counted records of a collection. Without `counted` there are none, and every function does nothing. */
export type RecordCounts = {
  /** Whether a filter selects all counted records, so that `total` is the total of its list. */
  isWhole(filter: object | undefined): boolean;
  /** Whether a save may change the number of counted records. */
  changeOnSave: boolean;
  /** @throws Error if records are counted, but there is no transaction */
  requireTransaction(session: ClientSession | undefined): void;
  inserted(
    workspaceId: string,
    documents: readonly Document[],
    session: ClientSession | undefined,
  ): Promise<void>;
  removed(
    workspaceId: string,
    documents: readonly Document[],
    session: ClientSession | undefined,
  ): Promise<void>;
  saved(
    workspaceId: string,
    changes: readonly { id: string; before: Values; after: Values }[],
    session: ClientSession | undefined,
  ): Promise<void>;
  total(workspaceId: string): Promise<number>;
};

/** Counts in the transactions that change the number of records, so that an aborted one counts nothing. */
export function createRecordCounts(
  mongo: Mongo,
  { collection, counted }: { collection: string; counted?: Values | undefined },
): RecordCounts {
  const rows = mongo.collection<CountRow>(countRecords.collection);
  const nextShard = createShardTurns(SHARDS);
  const total = createSharedReads(async (workspaceId) => {
    const found = await rows.find({ workspaceId, collection }, { projection: { n: 1 } }).toArray();
    return found.reduce((sum, { n }) => sum + n, 0);
  });
  const isCounted = (document: Values) =>
    counted !== undefined && Object.entries(counted).every(([field, value]) => document[field] === value);

  function requireTransaction(session: ClientSession | undefined): ClientSession | undefined {
    if (counted !== undefined && session === undefined) {
      throw new Error(`The records of ${collection} are counted: this write needs a transaction.`);
    }
    return session;
  }

  async function add(workspaceId: string, by: number, session: ClientSession | undefined) {
    if (by === 0) return;
    // Only the sum counts, so any row will do. With several for a transaction, two with many records would always conflict.
    await rows.updateOne(
      { _id: `${workspaceId}:${collection}:${nextShard()}`, workspaceId },
      { $inc: { n: by }, $setOnInsert: { collection } },
      { upsert: true, ...(session && { session }) },
    );
  }

  return {
    requireTransaction,
    isWhole: (filter = {}) => counted !== undefined && isDeepStrictEqual({ ...filter }, { ...counted }),
    changeOnSave: Object.keys(counted ?? {}).length > 0,
    async inserted(workspaceId, documents, session) {
      await add(workspaceId, documents.filter(isCounted).length, requireTransaction(session));
    },
    async removed(workspaceId, documents, session) {
      await add(workspaceId, -documents.filter(isCounted).length, requireTransaction(session));
    },
    async saved(workspaceId, changes, session) {
      const by = changes.reduce(
        (sum, { before, after }) => sum + Number(isCounted(after)) - Number(isCounted(before)),
        0,
      );
      if (by !== 0) await add(workspaceId, by, requireTransaction(session));
    },
    total,
  };
}
