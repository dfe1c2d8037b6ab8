import type { Mongo } from "@asset-register/mongo";
import type { mongo as driver } from "mongoose";
import { currentEpoch } from "./epoch.ts";
import { outboxRows } from "./outbox.ts";
import type { OutboxRow } from "./outbox-row.ts";

/** Rows in the order to send them in, and the epoch that they are sent with. */
export type OutboxBatch = { epoch: number; rows: OutboxRow[] };

export type BatchLimits = { rows: number; bytes: number };

/**
 * Reads what to send next: for each key a prefix of its waiting rows in order
 * of sequence, ending before its first parked row.
 *
 * All is read in one snapshot (of a transaction that writes nothing). A row is written by a transaction that also
 * wrote what the row before it came from, so a snapshot that shows row n+1 of a
 * key shows row n too, unless it is sent; a plain scan may see only n+1.
 */
export async function readBatch(mongo: Mongo, shard: number, limits: BatchLimits): Promise<OutboxBatch> {
  return mongo.transaction({}, async (session) => {
    const lanes = await waitingLanes(mongo, shard, limits.rows, session);
    if (lanes.length === 0) return { epoch: 0, rows: [] };
    const epoch = await currentEpoch(mongo, session);
    return { epoch, rows: await prefixes(mongo, lanes, limits, session) };
  });
}

/** Topic and key of the rows that wait longest, without those that wait behind a parked row. */
async function waitingLanes(
  mongo: Mongo,
  shard: number,
  limit: number,
  session: driver.ClientSession,
): Promise<string[]> {
  const rows = outboxRows(mongo);
  const parked = await rows.distinct("lane", { shard, parked: { $exists: true } }, { session });
  const waiting = await rows
    .find({ shard, ...(parked.length > 0 ? { lane: { $nin: parked } } : {}) }, { session })
    .project<Pick<OutboxRow, "lane">>({ lane: 1 })
    .sort({ created_at: 1 })
    .limit(limit)
    .toArray();
  return [...new Set(waiting.map((row) => row.lane))];
}

async function prefixes(
  mongo: Mongo,
  lanes: string[],
  limits: BatchLimits,
  session: driver.ClientSession,
): Promise<OutboxRow[]> {
  const rows: OutboxRow[] = [];
  let bytes = 0;
  const cursor = outboxRows(mongo)
    .find({ lane: { $in: lanes } }, { session })
    .sort({ lane: 1, sequence: 1, created_at: 1 })
    .limit(limits.rows);
  try {
    for await (const row of cursor) {
      bytes += row.value?.length() ?? 0;
      if (rows.length > 0 && bytes > limits.bytes) break;
      rows.push(row);
    }
  } finally {
    await cursor.close();
  }
  return rows;
}

/**
 * Removes rows that the broker has: that is the mark. It is one transaction,
 * so that a reader never finds a later row of a key gone and an earlier one
 * there; a kill before it sends the same rows again, under the same event ids.
 */
export async function removeSent(mongo: Mongo, rows: readonly OutboxRow[]): Promise<void> {
  const ids = rows.map((row) => row._id);
  await mongo.transaction({}, async (session) => {
    await outboxRows(mongo).deleteMany({ _id: { $in: ids } }, { session });
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
      { $sort: { shard: 1, created_at: 1 } },
      { $group: { _id: "$shard", created_at: { $first: "$created_at" } } },
      { $group: { _id: null, created_at: { $min: "$created_at" } } },
      {
        $project: {
          age: { $subtract: [{ $divide: [{ $toLong: "$$NOW" }, 1000] }, { $tsSecond: "$created_at" }] },
        },
      },
    ])
    .toArray();
  const parked = await rows.countDocuments({ parked: { $exists: true } });
  return { oldestSeconds: Math.max(0, Number(oldest?.age ?? 0)), parked };
}
