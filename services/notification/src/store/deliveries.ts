import {
  type ClientSession,
  createRecordStore,
  defineRecords,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { createBatcher, newId } from "@asset-register/runtime";
import type { Delivery, NewDelivery, Outcome } from "../domain/delivery.ts";

type DeliveryBookkeeping = {
  /** The attempt under way. */
  claim?: string | undefined;
  /** When it was added, or retried by hand. */
  queuedAt: Date;
};

/** What waited longer than this, because its workspace was disabled, is not sent any more. */
const WAITS_MS = 30 * 86_400_000;

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
    lastResponseExcerpt: String,
    lastDurationMs: Number,
    lastError: String,
    createdAt: Date,
  },
  beside: { claim: String, queuedAt: Date },
  // Those across workspaces are in due-deliveries.ts.
  indexes: [
    { name: "once", key: { workspaceId: 1, endpointId: 1, messageId: 1 }, unique: true },
    { name: "log", key: { workspaceId: 1, endpointId: 1, _id: -1 } },
  ],
});

const DUE = { $expr: { $lte: ["$nextAttemptAt", "$$NOW"] } };

/** A projection with a computed field has only the fields that it names. */
const ALL_FIELDS = Object.fromEntries(
  ["workspaceId", ...Object.keys(deliveryRecords.fields)].map((name) => [name, 1]),
);

type SavedOutcome = { workspaceId: string; id: string; claim: string; outcome: Outcome };

// Rows of the first release have no queuedAt.
const WAITED_TOO_LONG = {
  $lt: [{ $ifNull: ["$queuedAt", "$createdAt"] }, { $subtract: ["$$NOW", WAITS_MS] }],
};

/**
 * All writes are native pipeline updates: leases and due times go by the database's clock, which only a pipeline can
 * read, and a Mongoose model does not check pipelines.
 */
export function createDeliveryStore(mongo: Mongo) {
  const { collection, toRecord, findOne, find, list } = createRecordStore(mongo, deliveryRecords);
  const outcomes = createBatcher<SavedOutcome, boolean>({
    maxItems: 200,
    maxInFlight: 1,
    async send(items) {
      const { delivered = [], others = [] } = Object.groupBy(items, ({ outcome: { next } }) =>
        "status" in next && next.status === "delivered" ? "delivered" : "others",
      );
      const writes = [
        ...[...Map.groupBy(delivered, ({ claim }) => claim).values()].map((own) => ({
          updateMany: deliveredWrite(own),
        })),
        ...others.map((item) => ({ updateOne: outcomeWrite(item) })),
      ];
      const { matchedCount } = await collection.bulkWrite(writes, { ordered: false });
      return items.map((_, index) => index < matchedCount);
    },
  });
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

    /** The due deliveries, the earliest first. `tooLong` if some have waited too long to be sent. */
    async due(
      workspaceId: string,
      endpointId: string,
      limit: number,
    ): Promise<{ deliveries: Delivery[]; tooLong: boolean }> {
      const found = await collection
        .find({ workspaceId, endpointId, status: "pending", ...DUE })
        .sort({ nextAttemptAt: 1 })
        .limit(limit)
        .project<DeliveryDocument & { tooLong: boolean }>({ ...ALL_FIELDS, tooLong: WAITED_TOO_LONG })
        .toArray();
      const deliveries = found.filter(({ tooLong }) => !tooLong).map(toRecord);
      return { deliveries, tooLong: deliveries.length < found.length };
    },

    /** Ends the pending deliveries that have waited too long. */
    async failWaitedTooLong(workspaceId: string, endpointId: string): Promise<void> {
      await collection.updateMany(
        { workspaceId, endpointId, status: "pending", $expr: WAITED_TOO_LONG },
        { $set: { status: "failed", lastError: "waited for more than 30 days" }, $unset: { claim: true } },
      );
    },

    /** Begins an attempt of each delivery that nobody else has claimed meanwhile. Gives the claimed deliveries. */
    async claim(
      workspaceId: string,
      endpointId: string,
      { due, claim, leaseMs }: { due: Delivery[]; claim: string; leaseMs: number },
    ): Promise<Delivery[]> {
      const ids = due.map(({ id }) => id);
      const { modifiedCount } = await collection.updateMany(
        { workspaceId, _id: { $in: ids }, status: "pending", ...DUE },
        [
          {
            $set: {
              claim,
              attempts: { $add: ["$attempts", 1] },
              nextAttemptAt: { $add: ["$$NOW", leaseMs] },
            },
          },
        ],
      );
      // What was due a moment ago and is claimed now had no other attempt in between.
      if (modifiedCount === due.length) return due.map((one) => ({ ...one, attempts: one.attempts + 1 }));
      return find(workspaceId, { endpointId, _id: { $in: ids }, claim });
    },

    /** Ends the claim of deliveries that were not attempted: they are due again. */
    async giveBack(
      workspaceId: string,
      endpointId: string,
      { deliveryIds, claim }: { deliveryIds: string[]; claim: string },
    ): Promise<void> {
      await collection.updateMany(
        { workspaceId, _id: { $in: deliveryIds }, endpointId, claim, status: "pending" },
        [
          {
            $set: {
              claim: "$$REMOVE",
              attempts: { $subtract: ["$attempts", 1] },
              nextAttemptAt: "$$NOW",
            },
          },
        ],
      );
    },

    /**
     * Saves the outcome of a claimed attempt. False when another attempt has begun, or the delivery has ended. Outcomes
     * of the same moment share a write; when that does not save all, which of them is false is not known.
     */
    saveOutcome: (saved: SavedOutcome): Promise<boolean> => outcomes.add(saved),

    /** Ends pending deliveries of an endpoint that is disabled or deleted: the given ones, or all. */
    async failPending(workspaceId: string, endpointId: string, ids?: readonly string[]): Promise<void> {
      const lastError = "the subscription is disabled or deleted";
      await collection.updateMany(
        { workspaceId, endpointId, status: "pending", ...(ids !== undefined && { _id: { $in: [...ids] } }) },
        { $set: { status: "failed", lastError }, $unset: { claim: true } },
      );
    },

    get: (
      workspaceId: string,
      endpointId: string,
      id: string,
      session: ClientSession,
    ): Promise<Delivery | undefined> => findOne(workspaceId, { _id: id, endpointId }, session),

    getByMessage: (
      workspaceId: string,
      endpointId: string,
      messageId: string,
      session: ClientSession,
    ): Promise<Delivery | undefined> => findOne(workspaceId, { endpointId, messageId }, session),

    /** Sends a message that was delivered or has failed again, due now. False while it is pending. */
    async retry(workspaceId: string, id: string, session: ClientSession): Promise<boolean> {
      const ended = { workspaceId, _id: id, status: { $in: ["delivered" as const, "failed" as const] } };
      const { modifiedCount } = await collection.updateOne(
        ended,
        [{ $set: { status: "pending", attempts: 0, nextAttemptAt: "$$NOW", queuedAt: "$$NOW" } }],
        { session },
      );
      return modifiedCount === 1;
    },

    /** The log of an endpoint, newest first. Its total is as new as its rows. */
    list: (workspaceId: string, endpointId: string, page: PageQuery): Promise<Page<Delivery>> =>
      list(workspaceId, page, { filter: { endpointId }, newestFirst: true, countCacheMs: 0 }),
  };
}

/** Deliveries of one claim that were delivered: one write, since a write for each costs the database twice as much. */
function deliveredWrite(saved: readonly SavedOutcome[]) {
  const [{ workspaceId, claim } = { workspaceId: "", claim: "" }] = saved;
  const ids = saved.map(({ id }) => id);
  const ofEach = (values: unknown[]) => ({
    $arrayElemAt: [{ $literal: values }, { $indexOfArray: [ids, "$_id"] }],
  });
  const change = {
    status: "delivered",
    claim: "$$REMOVE",
    lastDurationMs: ofEach(saved.map(({ outcome }) => outcome.lastDurationMs)),
    lastResponseStatus: ofEach(saved.map(({ outcome }) => outcome.lastResponseStatus)),
    lastResponseExcerpt: ofEach(saved.map(({ outcome }) => outcome.lastResponseExcerpt)),
    lastError: "$$REMOVE",
  };
  const filter = { workspaceId, _id: { $in: ids }, claim, status: "pending" as const };
  return { filter, update: [{ $set: change }] };
}

function outcomeWrite({ workspaceId, id, claim, outcome }: SavedOutcome) {
  const { next, lastResponseStatus = "$$REMOVE", lastDurationMs } = outcome;
  const change = {
    ...("status" in next
      ? { status: next.status }
      : { nextAttemptAt: { $add: ["$$NOW", next.retryAfterMs] } }),
    claim: "$$REMOVE",
    lastDurationMs,
    lastResponseStatus,
    lastResponseExcerpt: literal(outcome.lastResponseExcerpt),
    lastError: literal(outcome.lastError),
  };
  const filter = { workspaceId, _id: id, claim, status: "pending" as const };
  return { filter, update: [{ $set: change }] };
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
    queuedAt: "$$NOW",
    createdAt: "$$NOW",
  } satisfies Partial<Record<keyof DeliveryDocument, unknown>>;
  return Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, object] => [name, { $ifNull: [`$${name}`, value] }]),
  );
}
