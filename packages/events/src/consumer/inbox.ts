import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { mongo as driver } from "mongoose";

/** Longer than the retention of dead letters (30 days) and of every topic without compaction: no repeat comes later. */
const KEPT_SECONDS = 45 * 86_400;

type InboxRow = { _id: string; at: Date };

const rows = (mongo: Mongo) => systemCollection<InboxRow>(mongo, "inbox");

/** Every service that uses runOnce runs this migration. */
export const inboxMigration = {
  id: "events-inbox",
  async up(mongo: Mongo): Promise<void> {
    await rows(mongo).createIndex({ at: 1 }, { name: "expiry", expireAfterSeconds: KEPT_SECONDS });
  },
};

/**
 * Runs an effect that is not idempotent: it and the inbox row of the event are in one transaction. Does
 * nothing if the effect of this name has run for the event before.
 */
export async function runOnce(
  mongo: Mongo,
  name: string,
  eventId: string,
  effect: (session: driver.ClientSession) => Promise<void>,
): Promise<void> {
  const _id = `${name}/${eventId}`;
  await mongo.transaction({}, async (session) => {
    // Two at the same time: the second insert is a write conflict, and its retry finds the row here.
    if ((await rows(mongo).findOne({ _id }, { session })) !== null) return;
    await rows(mongo).updateOne({ _id }, [{ $set: { at: "$$NOW" } }], { upsert: true, session });
    await effect(session);
  });
}
