import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { mongo as driver } from "mongoose";

type State = { _id: "relay"; epoch: number };

const states = (mongo: Mongo) => systemCollection<State>(mongo, "outbox_state");

/** Creates the collection, which a transaction with snapshot reads can't do. */
export async function createOutboxState(mongo: Mongo): Promise<void> {
  await states(mongo).updateOne({ _id: "relay" }, { $setOnInsert: { epoch: 0 } }, { upsert: true });
}

/** The current epoch, which takes precedence over sequences. It is 0 until the first republication. */
export async function currentEpoch(mongo: Mongo, session?: driver.ClientSession): Promise<number> {
  const state = await states(mongo).findOne({ _id: "relay" }, session ? { session } : {});
  return state?.epoch ?? 0;
}

/**
 * Begins a new epoch for all events that this database publishes from now on.
 * The epoch is the time of the database in seconds, or the last epoch plus one
 * if that is higher. A counter alone is not enough: after a restore the stored
 * epoch is old, and consumers may have seen the next number already.
 */
export async function beginEpoch(mongo: Mongo): Promise<number> {
  const seconds = { $toLong: { $divide: [{ $toLong: "$$NOW" }, 1000] } };
  const state = await states(mongo).findOneAndUpdate(
    { _id: "relay" },
    [{ $set: { epoch: { $max: [seconds, { $add: [{ $ifNull: ["$epoch", 0] }, 1] }] } } }],
    { upsert: true, returnDocument: "after", writeConcern: { w: "majority", journal: true } },
  );
  if (state === null) throw new Error("the new epoch was not stored");
  return state.epoch;
}
