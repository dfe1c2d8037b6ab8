import { type ClientSession, defineRecords, embeddedActor, type Mongo } from "@asset-register/mongo";
import type { StatusEntry } from "../domain/work-orders/work-order.ts";

/** Entries on a single read: an order that is put on hold again and again must stay readable. */
const SHOWN = 200;

export const statusEntryRecords = defineRecords<StatusEntry>({
  collection: "work_order_statuses",
  name: "status",
  fields: { workOrderId: String, rev: Number, status: String, at: Date, by: embeddedActor(), note: String },
  indexes: [{ name: "order", key: { workspaceId: 1, workOrderId: 1, rev: 1 }, unique: true }],
});

export function createStatusEntryStore(mongo: Mongo) {
  const { find, insertMany } = statusEntryRecords.store(mongo);
  return {
    insertMany,

    /** The newest statuses that an order got, oldest first. */
    async listNewest(
      workspaceId: string,
      workOrderId: string,
      session?: ClientSession,
    ): Promise<StatusEntry[]> {
      const options = { session, sort: { rev: -1 }, limit: SHOWN } as const;
      return (await find(workspaceId, { workOrderId }, options)).toReversed();
    },
  };
}
