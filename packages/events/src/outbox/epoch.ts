import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { mongo as driver } from "mongoose";

type State = { _id: "relay"; epoch: number };

const states = (mongo: Mongo) => systemCollection<State>(mongo, "outbox_state");

/** The number that overrides sequences: 0 until the first republication. */
export async function currentEpoch(mongo: Mongo, session?: driver.ClientSession): Promise<number> {
  const state = await states(mongo).findOne({ _id: "relay" }, session ? { session } : {});
  return state?.epoch ?? 0;
}

/**
 * Begins a new epoch for all that this database publishes from now on. It is
 * the database's time in seconds, or one more than the last: after a restore
 * the stored epoch is an old one, and counting on from it could give a number
 * that consumers have seen already.
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
