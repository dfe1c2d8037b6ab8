import {
  type ClientSession,
  createRecordStore,
  defineRecords,
  embedded,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { FAILING_AFTER, IN_FLIGHT, QUIET_AFTER_MS } from "../domain/delivery.ts";
import type { Endpoint } from "../domain/endpoint.ts";

/** The deliveries in flight, counted here for all workers together, and how the last attempts went. */
type EndpointBookkeeping = {
  slots: { deliveryId: string; claim: string; until: Date }[];
  /** Failures in a row. */
  failures: number;
  failingSince?: Date | undefined;
  failedAt?: Date | undefined;
};

export const endpointRecords = defineRecords<Endpoint, EndpointBookkeeping>({
  collection: "endpoints",
  name: "webhook",
  fields: {
    kind: String,
    url: String,
    events: [String],
    secret: embedded({ keyId: String, nonce: Buffer, data: Buffer }),
    status: String,
    createdAt: Date,
    rev: Number,
  },
  beside: {
    slots: [embedded({ deliveryId: String, claim: String, until: Date })],
    failures: Number,
    failingSince: Date,
    failedAt: Date,
  },
  indexes: [
    { name: "kind", key: { workspaceId: 1, kind: 1, _id: 1 } },
    { name: "active", key: { workspaceId: 1, kind: 1, status: 1 } },
  ],
});

/** Slots and failures are native pipeline updates, because their leases and times go by the database's clock. */
export function createEndpointStore(mongo: Mongo) {
  const { model, collection, toRecord, insert, findOne, find, list } = createRecordStore(
    mongo,
    endpointRecords,
  );
  const kind = "subscription";
  return {
    insert: (workspaceId: string, endpoint: Endpoint, session: ClientSession): Promise<void> =>
      insert(workspaceId, endpoint, session, { slots: [], failures: 0 }),

    getSubscription: (
      workspaceId: string,
      id: string,
      session?: ClientSession,
    ): Promise<Endpoint | undefined> => findOne(workspaceId, { _id: id, kind }, session),

    // Callers give no filter, so the total has to be as new as the rows.
    listSubscriptions: (workspaceId: string, page: PageQuery): Promise<Page<Endpoint>> =>
      list(workspaceId, page, { filter: { kind }, countCacheMs: 0 }),

    countSubscriptions: (workspaceId: string, session: ClientSession): Promise<number> =>
      collection.countDocuments({ workspaceId, kind }, { session }),

    activeSubscriptions: (workspaceId: string, session?: ClientSession): Promise<Endpoint[]> =>
      find(workspaceId, { kind, status: "active" }, { session }),

    async deleteSubscription(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await model.deleteOne({ workspaceId, _id: id, kind }, { session });
    },

    /** False when the endpoint is disabled or deleted already. */
    async disable(workspaceId: string, id: string, session: ClientSession): Promise<boolean> {
      const active = { workspaceId, _id: id, status: "active" } as const;
      const change = { $set: { status: "disabled" }, $inc: { rev: 1 } } as const;
      return (await model.updateOne(active, change, { session })).modifiedCount === 1;
    },

    /**
     * Takes a slot for each of `deliveryIds`, from the first, while slots are free; `granted` are those deliveries.
     * Undefined when the endpoint is not active. A slot that a dead worker holds is free again after `leaseMs`.
     */
    async takeSlots(
      workspaceId: string,
      id: string,
      { deliveryIds, claim, leaseMs }: { deliveryIds: string[]; claim: string; leaseMs: number },
    ): Promise<{ endpoint: Endpoint; granted: string[] } | undefined> {
      const row = await collection.findOneAndUpdate(
        { workspaceId, _id: id, status: "active" },
        [
          { $set: { slots: { $filter: { input: "$slots", cond: { $gt: ["$$this.until", "$$NOW"] } } } } },
          { $set: { slots: { $concatArrays: ["$slots", firstOf(newSlots(deliveryIds, claim, leaseMs))] } } },
        ],
        { returnDocument: "after" },
      );
      if (!row) return undefined;
      const granted = row.slots.filter((slot) => slot.claim === claim).map(({ deliveryId }) => deliveryId);
      return { endpoint: toRecord(row), granted };
    },

    /** Frees the slots of deliveries that another worker has claimed. */
    async releaseSlots(workspaceId: string, id: string, claim: string, deliveryIds: string[]): Promise<void> {
      if (deliveryIds.length === 0) return;
      await collection.updateOne(
        { workspaceId, _id: id },
        { $pull: { slots: { claim: { $eq: claim }, deliveryId: { $in: deliveryIds } } } },
      );
    },

    /**
     * Frees a slot and records how the attempt went.
     * @returns since when the endpoint has only failed; undefined when it has not, or is deleted
     */
    async recordAttempt(
      workspaceId: string,
      id: string,
      { claim, deliveryId, succeeded }: { claim: string; deliveryId: string; succeeded: boolean },
    ): Promise<Date | undefined> {
      const ended = {
        $and: [{ $eq: ["$$this.claim", claim] }, { $eq: ["$$this.deliveryId", deliveryId] }],
      };
      const slots = { $filter: { input: "$slots", cond: { $not: [ended] } } };
      const health = succeeded ? HEALTHY : FAILING;
      const row = await collection.findOneAndUpdate(
        { workspaceId, _id: id },
        [{ $set: { slots, ...health } }],
        { returnDocument: "after", projection: { failingSince: 1 } },
      );
      return row?.failingSince;
    },
  };
}

const HEALTHY = { failures: 0, failingSince: "$$REMOVE" };

const WENT_QUIET = { $lt: ["$failedAt", { $subtract: ["$$NOW", QUIET_AFTER_MS] }] };
const FAILING = {
  failures: { $add: ["$failures", 1] },
  failingSince: { $cond: [WENT_QUIET, "$$NOW", { $ifNull: ["$failingSince", "$$NOW"] }] },
  failedAt: "$$NOW",
};

function newSlots(deliveryIds: string[], claim: string, leaseMs: number) {
  return {
    $map: {
      input: deliveryIds,
      in: { deliveryId: "$$this", claim, until: { $add: ["$$NOW", leaseMs] } },
    },
  };
}

function firstOf(slots: object) {
  const most = { $cond: [{ $gte: ["$failures", FAILING_AFTER] }, IN_FLIGHT.failing, IN_FLIGHT.healthy] };
  return { $slice: [slots, { $max: [0, { $subtract: [most, { $size: "$slots" }] }] }] };
}
