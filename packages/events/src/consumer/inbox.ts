import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { mongo as driver } from "mongoose";

/** Longer than any topic that is not compacted and any dead letter (30 days): a repeat can't outlive its row. */
const KEPT_SECONDS = 45 * 86_400;

type InboxRow = { _id: string; at: Date };

const rows = (mongo: Mongo) => systemCollection<InboxRow>(mongo, "inbox");

/** Run by every service that uses subscribeOnce. */
export const inboxMigration = {
  id: "events-inbox",
  async up(mongo: Mongo): Promise<void> {
    await rows(mongo).createIndex({ at: 1 }, { name: "expiry", expireAfterSeconds: KEPT_SECONDS });
  },
};

/**
 * Runs `effect` in one transaction with a row that says so; does nothing when
 * the group has handled the event before. Answers whether it ran.
 */
export async function once(
  mongo: Mongo,
  group: string,
  eventId: string,
  effect: (session: driver.ClientSession) => Promise<void>,
): Promise<boolean> {
  const _id = `${group}/${eventId}`;
  return mongo.transaction({}, async (session) => {
    // Two at once: the second insert is a write conflict, and its retry finds the row here.
    if ((await rows(mongo).findOne({ _id }, { session })) !== null) return false;
    await rows(mongo).updateOne({ _id }, [{ $set: { at: "$$NOW" } }], { upsert: true, session });
    await effect(session);
    return true;
  });
}
