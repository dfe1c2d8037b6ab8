import { type Lease, LeaseLostError, type Mongo } from "@asset-register/mongo";
import type { mongo as driver } from "mongoose";
import { currentEpoch } from "./epoch.ts";
import { outboxRows } from "./outbox.ts";
import type { OutboxRow } from "./row.ts";

/** Rows in the order to send them in, and the epoch that they are sent with. */
export type OutboxBatch = { epoch: number; rows: OutboxRow[] };

export type BatchLimits = { rows: number; bytes: number };

/** A waiting row as it is chosen by: what it carries is read once it is. */
type Waiting = Pick<OutboxRow, "_id" | "lane" | "sequence" | "createdAt"> & { bytes: number };

const AS_WAITING = {
  $project: {
    ...{ lane: 1, sequence: 1, createdAt: 1 },
    bytes: { $ifNull: [{ $binarySize: "$value" }, 0] },
  },
};

/**
 * Reads what to send next: for each key a prefix of its waiting rows in order
 * of sequence, ending before its first parked row. Keys are served by the age
 * of their oldest row and in turns, so that one with many rows does not hold
 * up the others.
 *
 * All is read in one snapshot (of a transaction that writes nothing). A row is written by a transaction that also
 * wrote what the row before it came from, so a snapshot that shows row n+1 of a
 * key shows row n too, unless it is sent; a plain scan may see only n+1.
 */
export async function readBatch(mongo: Mongo, shard: number, limits: BatchLimits): Promise<OutboxBatch> {
  return mongo.transaction({}, async (session) => {
    const waiting = await waitingRows(mongo, shard, limits.rows, session);
    if (waiting.length === 0) return { epoch: 0, rows: [] };
    const epoch = await currentEpoch(mongo, session);
    // Fewer than asked for: these are all, and no key has an earlier row elsewhere.
    const all = waiting.length < limits.rows;
    const lanes = all ? sortedLanes(waiting) : await laneHeads(mongo, waiting, limits.rows, session);
    return { epoch, rows: await load(mongo, inTurns(lanes, limits), session) };
  });
}

/** The rows that wait longest, without those that wait behind a parked row. */
async function waitingRows(
  mongo: Mongo,
  shard: number,
  limit: number,
  session: driver.ClientSession,
): Promise<Waiting[]> {
  const rows = outboxRows(mongo);
  const parked = await rows.distinct("lane", { shard, parked: { $exists: true } }, { session });
  const unparked = parked.length > 0 ? { lane: { $nin: parked } } : {};
  return rows
    .aggregate<Waiting>(
      [{ $match: { shard, ...unparked } }, { $sort: { createdAt: 1 } }, { $limit: limit }, AS_WAITING],
      { session },
    )
    .toArray();
}

/** All rows of each key in their order; the keys by their oldest row, as they come. */
function sortedLanes(waiting: readonly Waiting[]): Waiting[][] {
  const lanes = [...Map.groupBy(waiting, ({ lane }) => lane).values()];
  for (const lane of lanes)
    lane.sort((one, other) => one.sequence - other.sequence || one.createdAt.compare(other.createdAt));
  return lanes;
}

/**
 * The same when more wait than were read: the first rows of each key, twice its
 * even share of the batch. Of many keys the first row alone: it fills a third
 * of the batch, and the index jumps from key to key for it.
 */
async function laneHeads(
  mongo: Mongo,
  waiting: readonly Waiting[],
  limit: number,
  session: driver.ClientSession,
): Promise<Waiting[][]> {
  const lanes = [...new Set(waiting.map(({ lane }) => lane))];
  const share = 2 * Math.ceil(limit / lanes.length);
  const many = lanes.length > limit / 3;
  const heads = many ? firstOfMany(lanes) : manyOfFew(outboxRows(mongo), waiting, share);
  const found = await outboxRows(mongo)
    .aggregate<{ _id: string; rows: Waiting[] }>(heads, { session })
    .toArray();
  const byLane = new Map(found.map(({ _id, rows }) => [_id, rows]));
  return lanes.map((lane) => byLane.get(lane) ?? []);
}

function manyOfFew(
  { collectionName }: driver.Collection<OutboxRow>,
  waiting: readonly Waiting[],
  share: number,
): driver.BSON.Document[] {
  const one = new Map(waiting.map(({ lane, _id }) => [lane, _id]));
  return [
    { $match: { _id: { $in: [...one.values()] } } },
    {
      $lookup: {
        ...{ from: collectionName, localField: "lane", foreignField: "lane", as: "rows" },
        pipeline: [{ $sort: { sequence: 1, createdAt: 1 } }, { $limit: share }, AS_WAITING],
      },
    },
    { $project: { _id: "$lane", rows: 1 } },
  ];
}

function firstOfMany(lanes: readonly string[]): driver.BSON.Document[] {
  return [
    { $match: { lane: { $in: lanes } } },
    { $sort: { lane: 1, sequence: 1, createdAt: 1 } },
    { $group: { _id: "$lane", first: { $first: "$$ROOT" } } },
    { $replaceWith: "$first" },
    AS_WAITING,
    { $project: { _id: "$lane", rows: ["$$ROOT"] } },
  ];
}

/** The first row of each key, then the second of each, as far as the limits go; one row in any case. */
function inTurns(lanes: readonly Waiting[][], limits: BatchLimits): Waiting[] {
  const longest = Math.max(...lanes.map(({ length }) => length));
  const chosen: Waiting[] = [];
  let bytes = 0;
  for (let turn = 0; turn < longest; turn += 1)
    for (const lane of lanes) {
      const row = lane[turn];
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
 * Removes rows that the broker has: that is the mark. It is one transaction,
 * so that a reader never finds a later row of a key gone and an earlier one
 * there; a kill before it sends the same rows again, under the same event ids.
 * The lease is its fence: who took over may be about to send some of the rows
 * again, and must then find all that follow them.
 *
 * @throws LeaseLostError
 */
export async function removeSent(
  mongo: Mongo,
  rows: readonly OutboxRow[],
  lease: Pick<Lease, "name" | "renew">,
): Promise<void> {
  const ids = rows.map((row) => row._id);
  await mongo.transaction({}, async (session) => {
    await outboxRows(mongo).deleteMany({ _id: { $in: ids } }, { session });
    // Last: a kill from here on keeps the next relay from the lease until the database ends the transaction.
    if (!(await lease.renew(session))) throw new LeaseLostError(lease.name);
  });
}

/** Sets a row that the broker refuses aside; the later rows of its key wait behind it. */
export async function parkRow(mongo: Mongo, row: OutboxRow, error: string): Promise<void> {
  await outboxRows(mongo).updateOne({ _id: row._id }, [
    { $set: { parked: { error: { $literal: error.slice(0, 500) }, at: "$$NOW" } } },
  ]);
}

/** How long the oldest waiting row has waited, by the database's clock, and how many are parked. */
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
  // Without the shard the partial index would not be used, and a scrape would read all that waits.
  const parked = await rows.countDocuments({ shard: { $gte: 0 }, parked: { $exists: true } });
  return { oldestSeconds: Math.max(0, Number(oldest?.age ?? 0)), parked };
}
