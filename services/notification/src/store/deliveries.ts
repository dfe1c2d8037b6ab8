import {
  type ClientSession,
  createRecordStore,
  defineRecords,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { Delivery, NewDelivery, Outcome } from "../domain/delivery.ts";

/** The attempt under way, and what the last one left. */
type DeliveryBookkeeping = {
  claim?: string | undefined;
  durationMs?: number | undefined;
  excerpt?: string | undefined;
};

export type DeliveryDocument = RecordDocument<Delivery, DeliveryBookkeeping>;

export const deliveryRecords = defineRecords<Delivery, DeliveryBookkeeping>({
  collection: "deliveries",
  name: "delivery",
  fields: {
    endpointId: String,
    messageId: String,
    type: String,
    body: String,
    status: String,
    attempts: Number,
    nextAttemptAt: Date,
    lastResponseStatus: Number,
    lastError: String,
    createdAt: Date,
  },
  beside: { claim: String, durationMs: Number, excerpt: String },
  // Those across workspaces are in due-deliveries.ts.
  indexes: [
    { name: "once", key: { workspaceId: 1, endpointId: 1, messageId: 1 }, unique: true },
    { name: "log", key: { workspaceId: 1, endpointId: 1, _id: -1 } },
  ],
});

const DUE = { $expr: { $lte: ["$nextAttemptAt", "$$NOW"] } };

/**
 * All writes are native pipeline updates: leases and due times go by the database's clock, which only a pipeline can
 * read, and a Mongoose model does not check pipelines.
 */
export function createDeliveryStore(mongo: Mongo) {
  const { collection, find, list } = createRecordStore(mongo, deliveryRecords);
  return {
    /** Adds the deliveries that do not exist yet, due at once. So a redelivered event makes no second delivery. */
    async addOnce(deliveries: NewDelivery[], session?: ClientSession): Promise<void> {
      if (deliveries.length === 0) return;
      const upserts = deliveries.map((delivery) => {
        const { workspaceId, endpointId, messageId } = delivery;
        const filter = { workspaceId, endpointId, messageId };
        return { updateOne: { filter, update: [{ $set: setOnInsert(delivery) }], upsert: true } };
      });
      await collection.bulkWrite(upserts, session ? { session } : { ordered: false });
    },

    /** Ids of the due deliveries, the earliest first. */
    async dueIds(workspaceId: string, endpointId: string, limit: number): Promise<string[]> {
      const found = await collection
        .find({ workspaceId, endpointId, status: "pending", ...DUE })
        .sort({ nextAttemptAt: 1 })
        .limit(limit)
        .project({ _id: 1 })
        .toArray();
      return found.map(({ _id }) => String(_id));
    },

    /** Begins an attempt of each delivery that nobody else has claimed meanwhile. Gives the claimed deliveries. */
    async claim(
      workspaceId: string,
      endpointId: string,
      { deliveryIds, claim, leaseMs }: { deliveryIds: string[]; claim: string; leaseMs: number },
    ): Promise<Delivery[]> {
      if (deliveryIds.length === 0) return [];
      await collection.updateMany({ workspaceId, _id: { $in: deliveryIds }, status: "pending", ...DUE }, [
        {
          $set: {
            claim,
            attempts: { $add: ["$attempts", 1] },
            nextAttemptAt: { $add: ["$$NOW", leaseMs] },
          },
        },
      ]);
      return find(workspaceId, { endpointId, _id: { $in: deliveryIds }, claim });
    },

    /** Saves the outcome of a claimed attempt. False when another attempt has begun, or the delivery has ended. */
    async saveOutcome(workspaceId: string, id: string, claim: string, outcome: Outcome): Promise<boolean> {
      const { next, lastResponseStatus = "$$REMOVE", durationMs } = outcome;
      const change = {
        ...("status" in next
          ? { status: next.status }
          : { nextAttemptAt: { $add: ["$$NOW", next.retryAfterMs] } }),
        claim: "$$REMOVE",
        durationMs,
        lastResponseStatus,
        lastError: literal(outcome.lastError),
        excerpt: literal(outcome.excerpt),
      };
      const claimed = { workspaceId, _id: id, claim, status: "pending" } as const;
      return (await collection.updateOne(claimed, [{ $set: change }])).modifiedCount === 1;
    },

    /** Ends the pending deliveries of an endpoint that is disabled or deleted. */
    async failPending(workspaceId: string, endpointId: string, lastError: string): Promise<void> {
      await collection.updateMany(
        { workspaceId, endpointId, status: "pending" },
        { $set: { status: "failed", lastError }, $unset: { claim: true } },
      );
    },

    /** The log of an endpoint, newest first. Its total is as new as its rows. */
    list: (workspaceId: string, endpointId: string, page: PageQuery): Promise<Page<Delivery>> =>
      list(workspaceId, page, { filter: { endpointId }, newestFirst: true, countCacheMs: 0 }),
  };
}

/** An answer is data: in a pipeline a text that begins with $ would be read as a field. */
const literal = (text: string | undefined) => (text === undefined ? "$$REMOVE" : { $literal: text });

/** Each field of a new row, unless the row exists. $setOnInsert could only take the times of this process. */
function setOnInsert({ type, body }: NewDelivery) {
  const row = {
    _id: newId("dlv"),
    type,
    body: { $literal: body },
    status: "pending",
    attempts: 0,
    nextAttemptAt: "$$NOW",
    createdAt: "$$NOW",
  } satisfies Partial<Record<keyof DeliveryDocument, unknown>>;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, object] => [name, { $ifNull: [`$${name}`, value] }]),
  );
}
