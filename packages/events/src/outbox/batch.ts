import { type Lease, LeaseLostError, type Mongo } from "@asset-register/mongo";
import type { mongo as driver } from "mongoose";
import { currentEpoch } from "./epoch.ts";
import { outboxRows } from "./outbox.ts";
import type { OutboxRow } from "./row.ts";

/** The rows of a shard that one sender sends: those held for a target, or without a target all others. */
export type Queue = { shard: number; target?: string | undefined };

/** Rows in the order in which they are sent, and the epoch that they are sent with. */
export type OutboxBatch = {
  /** The queue has no rows, apart from those of keys with a parked row. A read of only the newer rows can't tell. */
  empty: boolean;
  /** When the oldest row that was found was created. */
  oldestAt?: driver.Timestamp;
  epoch: number;
  rows: OutboxRow[];
  /** Ordering keys, by target, whose rows must wait because an earlier row is held. */
  behind: Map<string, string[]>;
};

export type BatchLimits = { rows: number; bytes: number };

/** The fields of a waiting row that select a batch. The other fields are read only for selected rows. */
type Waiting = Pick<OutboxRow, "_id" | "orderingKey" | "shard"> & {
  bytes: number;
  parked: boolean;
  target?: string;
};

const AS_WAITING = {
  $project: {
    ...{ orderingKey: 1, shard: 1, target: "$held.target" },
    bytes: { $ifNull: [{ $binarySize: "$value" }, 0] },
    parked: { $ne: [{ $type: "$parked" }, "missing"] },
  },
};

/**
 * Reads the next rows to send: for each ordering key a prefix of its waiting
 * rows in order of sequence, which ends before its first row that is parked or
 * in another queue. Keys are sorted by the age of their oldest row and served
 * round-robin, so that a key with many rows does not delay the others.
 *
 * The rows are read in one snapshot, in a transaction that writes nothing. The
 * transactions of row n and row n+1 of a key write the same record, so row n is
 * committed first. A snapshot that contains row n+1 also contains row n, unless
 * n is already sent. A plain scan may find only n+1.
 *
 * With `from`, keys without a row that was created since then are left out.
 */
export async function readBatch(
  mongo: Mongo,
  queue: Queue,
  limits: BatchLimits,
  from?: driver.Timestamp,
): Promise<OutboxBatch> {
  return mongo.transaction({}, async (session) => {
    const oldest = await oldestRows(mongo, queue, { limit: limits.rows, from }, session);
    const [first] = oldest;
    if (first === undefined) return { empty: from === undefined, epoch: 0, rows: [], behind: new Map() };
    const epoch = await currentEpoch(mongo, session);
    const keys = await firstRowsByKey(mongo, oldest, limits.rows, session);
    const own = (row: Waiting) => row.shard === queue.shard && row.target === queue.target && !row.parked;
    const prefixes = keys.map((rows) => {
      const end = rows.findIndex((row) => !own(row));
      return end === -1 ? rows : rows.slice(0, end);
    });
    const rows = await load(mongo, roundRobin(prefixes, limits), session);
    const behind = queue.target === undefined ? keysBehind(keys) : new Map<string, string[]>();
    return { empty: false, oldestAt: first.createdAt, epoch, rows, behind };
  });
}

/** The keys whose first row is held, by its target. */
function keysBehind(keys: readonly Waiting[][]): Map<string, string[]> {
  const behind = new Map<string, string[]>();
  for (const [first] of keys)
    if (first?.target !== undefined)
      behind.set(first.target, [...(behind.get(first.target) ?? []), first.orderingKey]);
  return behind;
}

type Oldest = Pick<OutboxRow, "_id" | "orderingKey" | "createdAt">;

/** The oldest rows of a queue, without the keys that have a parked row. */
async function oldestRows(
  mongo: Mongo,
  { shard, target }: Queue,
  { limit, from }: { limit: number; from: driver.Timestamp | undefined },
  session: driver.ClientSession,
): Promise<Oldest[]> {
  const rows = outboxRows(mongo);
  // Of all shards, since the rows of a key may be in several. Without `shard` the partial index is not used.
  const isParked = { shard: { $gte: 0 }, parked: { $exists: true } };
  const parked = await rows.distinct("orderingKey", isParked, { session });
  const unparked = parked.length > 0 ? { orderingKey: { $nin: parked } } : {};
  const newer = from === undefined ? {} : { createdAt: { $gte: from } };
  return rows
    .aggregate<Oldest>(
      [
        { $match: { shard, "held.target": target ?? null, ...unparked, ...newer } },
        { $sort: { createdAt: 1 } },
        { $limit: limit },
        { $project: { orderingKey: 1, createdAt: 1 } },
      ],
      { session, batchSize: limit },
    )
    .toArray();
}

/**
 * Reads the first rows of each key by sequence, in whatever queue they are. The keys stay in the order of their oldest
 * row.
 *
 * | Rows and keys                   | Rows of each key                                                     |
 * | ------------------------------- | -------------------------------------------------------------------- |
 * | all keys have up to two batches | all                                                                  |
 * | more, keys up to a third of one | the first ones, twice its even share                                 |
 * | more, more keys                 | the first one only: these fill a third of the batch, and the index   |
 * |                                 | skips from key to key                                                |
 */
async function firstRowsByKey(
  mongo: Mongo,
  oldest: readonly Oldest[],
  limit: number,
  session: driver.ClientSession,
): Promise<Waiting[][]> {
  const keys = [...new Set(oldest.map(({ orderingKey }) => orderingKey))];
  const share = 2 * Math.ceil(limit / keys.length);
  const byKey =
    (await allRows(mongo, keys, 2 * limit, session)) ??
    (keys.length > limit / 3
      ? await firstRowOfEachKey(mongo, keys, session)
      : await firstRowsOfEachKey(mongo, oldest, share, session));
  return keys.map((key) => byKey.get(key) ?? []);
}

type RowsByKey = Map<string, Waiting[]>;

/** All rows of some keys. Undefined if there are more than `most`. */
async function allRows(
  mongo: Mongo,
  keys: readonly string[],
  most: number,
  session: driver.ClientSession,
): Promise<RowsByKey | undefined> {
  const found = await outboxRows(mongo)
    .aggregate<Waiting>(
      [
        { $match: { orderingKey: { $in: keys } } },
        { $sort: { orderingKey: 1, sequence: 1, createdAt: 1 } },
        { $limit: most + 1 },
        AS_WAITING,
      ],
      { session, batchSize: most + 1 },
    )
    .toArray();
  return found.length > most ? undefined : Map.groupBy(found, ({ orderingKey }) => orderingKey);
}

async function rowsByKey(
  mongo: Mongo,
  pipeline: driver.BSON.Document[],
  session: driver.ClientSession,
): Promise<RowsByKey> {
  const found = await outboxRows(mongo)
    .aggregate<{ _id: string; rows: Waiting[] }>(pipeline, { session })
    .toArray();
  return new Map(found.map(({ _id, rows }) => [_id, rows]));
}

function firstRowsOfEachKey(
  mongo: Mongo,
  oldest: readonly Oldest[],
  share: number,
  session: driver.ClientSession,
): Promise<RowsByKey> {
  const from = outboxRows(mongo).collectionName;
  const oneOfEach = new Map(oldest.map(({ orderingKey, _id }) => [orderingKey, _id]));
  const pipeline = [
    { $match: { _id: { $in: [...oneOfEach.values()] } } },
    {
      $lookup: {
        ...{ from, localField: "orderingKey", foreignField: "orderingKey", as: "rows" },
        pipeline: [{ $sort: { sequence: 1, createdAt: 1 } }, { $limit: share }, AS_WAITING],
      },
    },
    { $project: { _id: "$orderingKey", rows: 1 } },
  ];
  return rowsByKey(mongo, pipeline, session);
}

function firstRowOfEachKey(
  mongo: Mongo,
  keys: readonly string[],
  session: driver.ClientSession,
): Promise<RowsByKey> {
  const pipeline = [
    { $match: { orderingKey: { $in: keys } } },
    { $sort: { orderingKey: 1, sequence: 1, createdAt: 1 } },
    { $group: { _id: "$orderingKey", first: { $first: "$$ROOT" } } },
    { $replaceWith: "$first" },
    AS_WAITING,
    { $project: { _id: "$orderingKey", rows: ["$$ROOT"] } },
  ];
  return rowsByKey(mongo, pipeline, session);
}

/** The first row of each key, then the second row of each, until a limit is reached. At least one row. */
function roundRobin(keys: readonly Waiting[][], limits: BatchLimits): Waiting[] {
  const longest = Math.max(0, ...keys.map(({ length }) => length));
  const chosen: Waiting[] = [];
  let bytes = 0;
  for (let turn = 0; turn < longest; turn += 1)
    for (const rows of keys) {
      const row = rows[turn];
      if (row === undefined) continue;
      bytes += row.bytes;
      if (chosen.length > 0 && (chosen.length >= limits.rows || bytes > limits.bytes)) return chosen;
      chosen.push(row);
    }
  return chosen;
}

async function load(
  mongo: Mongo,
  chosen: readonly Waiting[],
  session: driver.ClientSession,
): Promise<OutboxRow[]> {
  const ids = chosen.map(({ _id }) => _id);
  const found = await outboxRows(mongo)
    .find({ _id: { $in: ids } }, { session, batchSize: ids.length })
    .toArray();
  const byId = new Map(found.map((row) => [row._id.toHexString(), row]));
  return ids.flatMap((id) => byId.get(id.toHexString()) ?? []);
}

/**
 * Removes rows that the broker has acknowledged. The removal marks them as sent.
 *
 * - It is one transaction: a reader never finds a later row of a key removed
 *   while an earlier one is still there.
 * - If the process is killed before it, the same rows are sent again under the
 *   same event ids.
 * - The lease fences it: a relay that took over may send some of the rows again,
 *   and then has to find all rows that follow them.
 *
 * @throws LeaseLostError if another relay has taken over
 */
export async function removeSent(
  mongo: Mongo,
  rows: readonly OutboxRow[],
  lease: Pick<Lease, "name" | "renew">,
): Promise<void> {
  const ids = rows.map((row) => row._id);
  await mongo.transaction({}, async (session) => {
    await outboxRows(mongo).deleteMany({ _id: { $in: ids } }, { session });
    // Last: after a kill from here on, the next relay gets the lease only when the database ends the transaction.
    if (!(await lease.renew(session))) throw new LeaseLostError(lease.name);
  });
}

/** Parks a row that the broker refuses. The later rows of its key wait until it is retried or dropped. */
export async function parkRow(mongo: Mongo, row: OutboxRow, error: string): Promise<void> {
  await outboxRows(mongo).updateOne({ _id: row._id }, [
    { $set: { parked: { error: { $literal: error.slice(0, 500) }, at: "$$NOW" } } },
  ]);
}
