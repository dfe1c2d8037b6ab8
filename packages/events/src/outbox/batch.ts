import { type Lease, LeaseLostError, type Mongo } from "@asset-register/mongo";
import type { mongo as driver } from "mongoose";
import { currentEpoch } from "./epoch.ts";
import { outboxRows } from "./outbox.ts";
import type { OutboxRow } from "./row.ts";

/** Rows in the order in which they are sent, and the epoch that they are sent with. */
export type OutboxBatch = { epoch: number; rows: OutboxRow[] };

export type BatchLimits = { rows: number; bytes: number };

/** The fields of a waiting row that select a batch. The other fields are read only for selected rows. */
type Waiting = Pick<OutboxRow, "_id" | "orderingKey" | "sequence" | "createdAt"> & { bytes: number };

const AS_WAITING = {
  $project: {
    ...{ orderingKey: 1, sequence: 1, createdAt: 1 },
    bytes: { $ifNull: [{ $binarySize: "$value" }, 0] },
  },
};

/**
 * Reads the next rows to send: for each ordering key a prefix of its waiting
 * rows in order of sequence, which ends before its first parked row. Keys are
 * sorted by the age of their oldest row and served round-robin, so that a key
 * with many rows does not delay the others.
 *
 * The rows are read in one snapshot, in a transaction that writes nothing. The
 * transactions of row n and row n+1 of a key write the same record, so row n is
 * committed first. A snapshot that contains row n+1 also contains row n, unless
 * n is already sent. A plain scan may find only n+1.
 */
export async function readBatch(mongo: Mongo, shard: number, limits: BatchLimits): Promise<OutboxBatch> {
  return mongo.transaction({}, async (session) => {
    const waiting = await waitingRows(mongo, shard, limits.rows, session);
    if (waiting.length === 0) return { epoch: 0, rows: [] };
    const epoch = await currentEpoch(mongo, session);
    // Fewer rows than the limit are all rows: no key has an earlier one elsewhere.
    const all = waiting.length < limits.rows;
    const keys = all ? groupByKey(waiting) : await firstRowsByKey(mongo, waiting, limits.rows, session);
    return { epoch, rows: await load(mongo, roundRobin(keys, limits), session) };
  });
}

/** The oldest waiting rows, without the keys that have a parked row. */
async function waitingRows(
  mongo: Mongo,
  shard: number,
  limit: number,
  session: driver.ClientSession,
): Promise<Waiting[]> {
  const rows = outboxRows(mongo);
  const parked = await rows.distinct("orderingKey", { shard, parked: { $exists: true } }, { session });
  const unparked = parked.length > 0 ? { orderingKey: { $nin: parked } } : {};
  return rows
    .aggregate<Waiting>(
      [{ $match: { shard, ...unparked } }, { $sort: { createdAt: 1 } }, { $limit: limit }, AS_WAITING],
      { session },
    )
    .toArray();
}

/** The rows of each key in order of sequence. The keys stay in the order of their oldest row. */
function groupByKey(waiting: readonly Waiting[]): Waiting[][] {
  const keys = [...Map.groupBy(waiting, ({ orderingKey }) => orderingKey).values()];
  for (const rows of keys)
    rows.sort((one, other) => one.sequence - other.sequence || one.createdAt.compare(other.createdAt));
  return keys;
}

/**
 * Like groupByKey, for more rows than were read.
 *
 * | Keys                        | Rows of each key                              |
 * | --------------------------- | --------------------------------------------- |
 * | up to a third of the batch  | the first ones, twice its even share          |
 * | more                        | the first one only: these fill a third of the |
 * |                             | batch, and the index skips from key to key    |
 */
async function firstRowsByKey(
  mongo: Mongo,
  waiting: readonly Waiting[],
  limit: number,
  session: driver.ClientSession,
): Promise<Waiting[][]> {
  const keys = [...new Set(waiting.map(({ orderingKey }) => orderingKey))];
  const share = 2 * Math.ceil(limit / keys.length);
  const many = keys.length > limit / 3;
  const pipeline = many ? firstRowOfEachKey(keys) : firstRowsOfEachKey(outboxRows(mongo), waiting, share);
  const found = await outboxRows(mongo)
    .aggregate<{ _id: string; rows: Waiting[] }>(pipeline, { session })
    .toArray();
  const byKey = new Map(found.map(({ _id, rows }) => [_id, rows]));
  return keys.map((key) => byKey.get(key) ?? []);
}

function firstRowsOfEachKey(
  { collectionName }: driver.Collection<OutboxRow>,
  waiting: readonly Waiting[],
  share: number,
): driver.BSON.Document[] {
  const oneOfEach = new Map(waiting.map(({ orderingKey, _id }) => [orderingKey, _id]));
  return [
    { $match: { _id: { $in: [...oneOfEach.values()] } } },
    {
      $lookup: {
        ...{ from: collectionName, localField: "orderingKey", foreignField: "orderingKey", as: "rows" },
        pipeline: [{ $sort: { sequence: 1, createdAt: 1 } }, { $limit: share }, AS_WAITING],
      },
    },
    { $project: { _id: "$orderingKey", rows: 1 } },
  ];
}

function firstRowOfEachKey(keys: readonly string[]): driver.BSON.Document[] {
  return [
    { $match: { orderingKey: { $in: keys } } },
    { $sort: { orderingKey: 1, sequence: 1, createdAt: 1 } },
    { $group: { _id: "$orderingKey", first: { $first: "$$ROOT" } } },
    { $replaceWith: "$first" },
    AS_WAITING,
    { $project: { _id: "$orderingKey", rows: ["$$ROOT"] } },
  ];
}

/** The first row of each key, then the second row of each, until a limit is reached. At least one row. */
function roundRobin(keys: readonly Waiting[][], limits: BatchLimits): Waiting[] {
  const longest = Math.max(...keys.map(({ length }) => length));
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
    .find({ _id: { $in: ids } }, { session })
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

/** The age of the oldest waiting row, by the clock of the database, and the number of parked rows. */
export async function outboxBacklog(mongo: Mongo): Promise<{ oldestSeconds: number; parked: number }> {
  const rows = outboxRows(mongo);
  const [oldest] = await rows
    .aggregate<{ age: number }>([
      { $sort: { shard: 1, createdAt: 1 } },
      { $group: { _id: "$shard", createdAt: { $first: "$createdAt" } } },
      { $group: { _id: null, createdAt: { $min: "$createdAt" } } },
      {
        $project: {
          age: { $subtract: [{ $divide: [{ $toLong: "$$NOW" }, 1000] }, { $tsSecond: "$createdAt" }] },
        },
      },
    ])
    .toArray();
  // Without `shard` the partial index is not used, and each scrape would read all waiting rows.
  const parked = await rows.countDocuments({ shard: { $gte: 0 }, parked: { $exists: true } });
  return { oldestSeconds: Math.max(0, Number(oldest?.age ?? 0)), parked };
}
