import { type ClientSession, listPage, type Mongo, type Page } from "@asset-register/mongo";
import type { Sealed } from "@asset-register/runtime";
import { FAILING_AFTER, IN_FLIGHT, QUIET_AFTER_MS } from "../domain/delivery.ts";
import type { EventFilter } from "../domain/message.ts";
import { mapPage, type PageOf } from "./page.ts";

/** A URL that messages go to: a subscription's, or that of a rule with the channel webhook. */
export type Endpoint = {
  id: string;
  workspaceId: string;
  kind: "subscription" | "rule";
  url: string;
  /** Of a subscription; a rule's endpoint gets its rule's alerts. */
  events: EventFilter[];
  secret: Sealed;
  status: "active" | "disabled";
  createdAt: Date;
  rev: number;
};

/** What the last attempts say of an endpoint. */
export type Health = { failingSince?: Date };

type Slot = { delivery_id: string; claim: string; until: Date };

export type EndpointDocument = {
  _id: string;
  workspaceId: string;
  kind: Endpoint["kind"];
  url: string;
  events: EventFilter[];
  secret: Sealed;
  status: Endpoint["status"];
  /** Deliveries that are in flight now, counted here for all workers together. */
  slots: Slot[];
  failures: number;
  failing_since?: Date | null;
  /** When it last failed. */
  failed_at?: Date;
  created_at: Date;
  rev: number;
};

export const ENDPOINTS = "endpoints";

export type EndpointStore = ReturnType<typeof createEndpointStore>;

export function createEndpointStore(mongo: Mongo) {
  const rows = mongo.collection<EndpointDocument>(ENDPOINTS);
  return {
    async insert(endpoint: Endpoint, session: ClientSession): Promise<void> {
      await rows.insertOne(toDocument(endpoint), { session });
    },

    async find(workspaceId: string, id: string, session?: ClientSession): Promise<Endpoint | undefined> {
      const options = session === undefined ? {} : { session };
      const row = await rows.findOne({ workspaceId, _id: id }, options);
      return row === null ? undefined : toEndpoint(row);
    },

    async listSubscriptions(workspaceId: string, query: PageOf): Promise<Page<Endpoint>> {
      const filter = { kind: "subscription" } as const;
      // The caller's list has no filter: its total is as new as its rows.
      return mapPage(await listPage(rows, { workspaceId, filter, countCacheMs: 0, ...query }), toEndpoint);
    },

    async countSubscriptions(workspaceId: string, session: ClientSession): Promise<number> {
      return rows.countDocuments({ workspaceId, kind: "subscription" }, { session });
    },

    async activeSubscriptions(workspaceId: string, session?: ClientSession): Promise<Endpoint[]> {
      const filter = { workspaceId, kind: "subscription", status: "active" } as const;
      return (await rows.find(filter, session === undefined ? {} : { session }).toArray()).map(toEndpoint);
    },

    async deleteSubscription(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      const filter = { workspaceId, _id: id, kind: "subscription" } as const;
      await rows.deleteOne(filter, { session });
    },

    /** Turns it off; false when it is off or gone already. */
    async disable(workspaceId: string, id: string, session: ClientSession): Promise<boolean> {
      const filter = { workspaceId, _id: id, status: "active" } as const;
      const change = { $set: { status: "disabled" }, $inc: { rev: 1 } } as const;
      return (await rows.updateOne(filter, change, { session })).modifiedCount === 1;
    },

    /**
     * Takes a place in flight for as many of `deliveryIds`, from the first, as
     * there are places; `granted` are those. Undefined when the endpoint is not
     * active. A place that a dead worker holds is free again after `leaseMs`.
     */
    async takeSlots(
      workspaceId: string,
      id: string,
      request: { deliveryIds: string[]; claim: string; leaseMs: number },
    ): Promise<{ endpoint: Endpoint; granted: string[] } | undefined> {
      const { deliveryIds, claim, leaseMs } = request;
      const row = await rows.findOneAndUpdate(
        { workspaceId, _id: id, status: "active" },
        [
          { $set: { slots: { $filter: { input: "$slots", cond: { $gt: ["$$this.until", "$$NOW"] } } } } },
          { $set: { slots: { $concatArrays: ["$slots", firstOf(newSlots(deliveryIds, claim, leaseMs))] } } },
        ],
        { returnDocument: "after" },
      );
      if (row === null) return undefined;
      const granted = row.slots.filter((slot) => slot.claim === claim).map((slot) => slot.delivery_id);
      return { endpoint: toEndpoint(row), granted };
    },

    /** Gives places back that came to nothing. */
    async releaseSlots(workspaceId: string, id: string, claim: string, deliveryIds: string[]): Promise<void> {
      if (deliveryIds.length === 0) return;
      await rows.updateOne(
        { workspaceId, _id: id },
        { $pull: { slots: { claim: { $eq: claim }, delivery_id: { $in: deliveryIds } } } },
      );
    },

    /** Gives a place back and notes how the attempt went. Undefined when the endpoint is gone. */
    async recordAttempt(
      workspaceId: string,
      id: string,
      attempt: { claim: string; deliveryId: string; succeeded: boolean },
    ): Promise<Health | undefined> {
      const { claim, deliveryId, succeeded } = attempt;
      const ended = {
        $and: [{ $eq: ["$$this.claim", claim] }, { $eq: ["$$this.delivery_id", deliveryId] }],
      };
      const health = succeeded
        ? { failures: 0, failing_since: null }
        : { failures: { $add: ["$failures", 1] }, failing_since: FAILING_SINCE, failed_at: "$$NOW" };
      const row = await rows.findOneAndUpdate(
        { workspaceId, _id: id },
        [{ $set: { slots: { $filter: { input: "$slots", cond: { $not: [ended] } } }, ...health } }],
        { returnDocument: "after", projection: { failing_since: 1 } },
      );
      if (row === null) return undefined;
      return row.failing_since instanceof Date ? { failingSince: row.failing_since } : {};
    },
  };
}

// Rows of the release before have no failed_at: their failing starts anew when it began long ago.
const LAST_FAILED = { $ifNull: ["$failed_at", "$failing_since"] };
const WENT_QUIET = { $lt: [LAST_FAILED, { $subtract: ["$$NOW", QUIET_AFTER_MS] }] };
const FAILING_SINCE = {
  $cond: [WENT_QUIET, "$$NOW", { $ifNull: ["$failing_since", "$$NOW"] }],
};

function newSlots(deliveryIds: string[], claim: string, leaseMs: number) {
  return {
    $map: {
      input: deliveryIds,
      in: { delivery_id: "$$this", claim, until: { $add: ["$$NOW", leaseMs] } },
    },
  };
}

function firstOf(slots: object) {
  const most = { $cond: [{ $gte: ["$failures", FAILING_AFTER] }, IN_FLIGHT.failing, IN_FLIGHT.healthy] };
  return { $slice: [slots, { $max: [0, { $subtract: [most, { $size: "$slots" }] }] }] };
}

function toDocument(endpoint: Endpoint): EndpointDocument {
  return {
    _id: endpoint.id,
    workspaceId: endpoint.workspaceId,
    kind: endpoint.kind,
    url: endpoint.url,
    events: endpoint.events,
    secret: endpoint.secret,
    status: endpoint.status,
    slots: [],
    failures: 0,
    created_at: endpoint.createdAt,
    rev: endpoint.rev,
  };
}

function toEndpoint(row: EndpointDocument): Endpoint {
  return {
    id: row._id,
    workspaceId: row.workspaceId,
    kind: row.kind,
    url: row.url,
    events: row.events,
    secret: row.secret,
    status: row.status,
    createdAt: row.created_at,
    rev: row.rev,
  };
}
