import type { ClientSession, Mongo, Page } from "@asset-register/mongo";
import { invalid, isId, newId } from "@asset-register/runtime";
import type { MessageType } from "../domain/message.ts";
import type { PageOf } from "./page.ts";

/** One message on its way to one endpoint. */
export type Delivery = {
  id: string;
  workspaceId: string;
  endpointId: string;
  messageId: string;
  type: MessageType;
  body: string;
  status: "pending" | "delivered" | "failed";
  attempts: number;
  nextAttemptAt: Date;
  /** Of the last attempt that had an answer. */
  responseStatus?: number;
  lastError?: string;
  createdAt: Date;
};

/** What an attempt leaves behind. */
export type Outcome = {
  /** Tried again after this many milliseconds, or ended. */
  next: { retryAfterMs: number } | { status: "delivered" | "failed" };
  responseStatus?: number;
  lastError?: string;
  durationMs: number;
  excerpt?: string;
};

export type DeliveryDocument = {
  _id: string;
  workspaceId: string;
  endpoint_id: string;
  message_id: string;
  type: MessageType;
  body: string;
  status: Delivery["status"];
  attempts: number;
  /** While an attempt is under way: when its lease ends. */
  next_attempt_at: Date;
  claim?: string | null;
  response_status?: number;
  last_error?: string;
  duration_ms?: number;
  excerpt?: string;
  created_at: Date;
};

export type NewDelivery = Pick<Delivery, "workspaceId" | "endpointId" | "messageId" | "type" | "body">;

export const DELIVERIES = "deliveries";

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

const DUE = { $expr: { $lte: ["$next_attempt_at", "$$NOW"] } };

export function createDeliveryStore(mongo: Mongo) {
  const rows = mongo.collection<DeliveryDocument>(DELIVERIES);
  return {
    /** Adds what is not there yet, due at once: a redelivered event makes no second delivery. */
    async addOnce(deliveries: NewDelivery[], session?: ClientSession): Promise<void> {
      if (deliveries.length === 0) return;
      const upserts = deliveries.map((delivery) => {
        const { workspaceId, endpointId, messageId } = delivery;
        const filter = { workspaceId, endpoint_id: endpointId, message_id: messageId };
        return { updateOne: { filter, update: [{ $set: fresh(delivery) }], upsert: true } };
      });
      await rows.bulkWrite(upserts, session === undefined ? { ordered: false } : { session });
    },

    /** Ids of what is due, the longest first. */
    async dueIds(workspaceId: string, endpointId: string, limit: number): Promise<string[]> {
      const due = { workspaceId, endpoint_id: endpointId, status: "pending", ...DUE } as const;
      const found = await rows
        .find(due)
        .sort({ next_attempt_at: 1 })
        .limit(limit)
        .project({ _id: 1 })
        .toArray();
      return found.map((row) => String(row._id));
    },

    /** Begins an attempt of each that nobody else has begun meanwhile, and gives those. */
    async claim(
      workspaceId: string,
      endpointId: string,
      request: { deliveryIds: string[]; claim: string; leaseMs: number },
    ): Promise<Delivery[]> {
      const { deliveryIds, claim, leaseMs } = request;
      if (deliveryIds.length === 0) return [];
      await rows.updateMany({ workspaceId, _id: { $in: deliveryIds }, status: "pending", ...DUE }, [
        {
          $set: {
            claim,
            attempts: { $add: ["$attempts", 1] },
            next_attempt_at: { $add: ["$$NOW", leaseMs] },
          },
        },
      ]);
      const mine = { workspaceId, endpoint_id: endpointId, _id: { $in: deliveryIds }, claim };
      return (await rows.find(mine).toArray()).map(toDelivery);
    },

    /** Saves an outcome for the attempt that was claimed; false when another one has begun, or it is ended. */
    async saveOutcome(workspaceId: string, id: string, claim: string, outcome: Outcome): Promise<boolean> {
      const { next, responseStatus, lastError, durationMs, excerpt } = outcome;
      const change = {
        ...("status" in next
          ? { status: next.status }
          : { next_attempt_at: { $add: ["$$NOW", next.retryAfterMs] } }),
        claim: null,
        duration_ms: durationMs,
        response_status: responseStatus ?? "$$REMOVE",
        // An answer is data: in a pipeline a text that begins with $ would be read as a field.
        last_error: lastError === undefined ? "$$REMOVE" : { $literal: lastError },
        excerpt: excerpt === undefined ? "$$REMOVE" : { $literal: excerpt },
      };
      const claimed = { workspaceId, _id: id, claim, status: "pending" } as const;
      return (await rows.updateOne(claimed, [{ $set: change }])).modifiedCount === 1;
    },

    /** Ends all that waits for an endpoint that is off or gone. */
    async dropWaiting(workspaceId: string, endpointId: string, reason: string): Promise<void> {
      await rows.updateMany(
        { workspaceId, endpoint_id: endpointId, status: "pending" },
        { $set: { status: "failed", last_error: reason, claim: null } },
      );
    },

    /** A page of an endpoint's log, newest first; its cursor is the last id of the page before. */
    async page(workspaceId: string, endpointId: string, query: PageOf): Promise<Page<Delivery>> {
      const { page, limit, cursor } = query;
      if (cursor !== "" && !isId("dlv", cursor)) {
        throw invalid([{ field: "cursor", message: "is not one of ours" }]);
      }
      const all = { workspaceId, endpoint_id: endpointId };
      const [found, total] = await Promise.all([
        rows
          .find(cursor === "" ? all : { ...all, _id: { $lt: cursor } })
          .sort({ _id: -1 })
          .skip(cursor === "" ? (page - 1) * limit : 0)
          // One more tells whether there is a next page.
          .limit(limit + 1)
          .toArray(),
        rows.countDocuments(all),
      ]);
      const items = found.slice(0, limit).map(toDelivery);
      const nextCursor = found.length > limit ? (items.at(-1)?.id ?? "") : "";
      return { items, page, limit, total, nextCursor };
    },
  };
}

/**
 * Each field of a new row, unless it is there. Times are the database's, by which it
 * becomes due; $setOnInsert could only take those of this process.
 */
function fresh({ type, body }: NewDelivery) {
  const row = {
    _id: newId("dlv"),
    type,
    body: { $literal: body },
    status: "pending",
    attempts: 0,
    next_attempt_at: "$$NOW",
    created_at: "$$NOW",
  } satisfies Partial<Record<keyof DeliveryDocument, unknown>>;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, object] => [name, { $ifNull: [`$${name}`, value] }]),
  );
}

function toDelivery(row: DeliveryDocument): Delivery {
  return {
    id: row._id,
    workspaceId: row.workspaceId,
    endpointId: row.endpoint_id,
    messageId: row.message_id,
    type: row.type,
    body: row.body,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    ...(row.response_status === undefined ? {} : { responseStatus: row.response_status }),
    ...(row.last_error === undefined ? {} : { lastError: row.last_error }),
    createdAt: row.created_at,
  };
}
