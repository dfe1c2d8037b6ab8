import {
  afterCommit,
  type ClientSession,
  defineRecords,
  type Mongo,
  type RecordDocument,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { createBatcher, newId } from "@asset-register/runtime";
import type { Delivery, DueDelivery, NewDelivery, Outcome } from "../../domain/webhooks/delivery.ts";
import type { DeliveryNews } from "../../sending/delivery-news.ts";
import type { ClaimedTurn } from "./endpoints.ts";

type DeliveryBookkeeping = {
  /** When it was added, or retried by hand. */
  queuedAt: Date;
};

/** A delivery that waited longer than this, because its workspace was disabled, is not sent any more. */
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
  beside: { queuedAt: Date },
  // Those across workspaces are in due-deliveries.ts.
  indexes: [
    { name: "once", key: { workspaceId: 1, endpointId: 1, messageId: 1 }, unique: true },
    { name: "log", key: { workspaceId: 1, endpointId: 1, _id: -1 } },
  ],
});

const DUE = { $expr: { $lte: ["$nextAttemptAt", "$$NOW"] } };

/** So many outcomes are saved in a transaction: one entry of the oplog. */
const WORTH_A_TRANSACTION = 10;

type SavedOutcome = { workspaceId: string; id: string; turn: ClaimedTurn; outcome: Outcome };

// Rows of the first release have no queuedAt.
const WAITED_TOO_LONG = {
  $lt: [{ $ifNull: ["$queuedAt", "$createdAt"] }, { $subtract: ["$$NOW", WAITS_MS] }],
};

/**
 * All writes are native pipeline updates: leases and due times go by the database's clock, which only a pipeline can
 * read, and a Mongoose model does not check pipelines.
 */
export function createDeliveryStore(mongo: Mongo, news?: Pick<DeliveryNews, "added">) {
  const { collection, findOne, list } = deliveryRecords.store(mongo);
  const outcomes = createBatcher<SavedOutcome, boolean>({
    maxItems: 200,
    maxInFlight: 1,
    async send(items) {
      const { delivered = [], others = [] } = Object.groupBy(items, ({ outcome: { next } }) =>
        "status" in next && next.status === "delivered" ? "delivered" : "others",
      );
      const writes = [
        ...[...Map.groupBy(delivered, answerOf).values()].flatMap(([first, ...rest]) =>
          first === undefined ? [] : { updateMany: deliveredWrite(first, rest) },
        ),
        ...others.map((item) => ({ updateOne: outcomeWrite(item) })),
      ];
      const { matchedCount } =
        items.length < WORTH_A_TRANSACTION
          ? await collection.bulkWrite(writes, { ordered: false })
          : await mongo.transaction({}, (session) => collection.bulkWrite(writes, { session }));
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
      if (session) afterCommit(session, () => news?.added(deliveries));
      else news?.added(deliveries);
    },

    /**
     * The due deliveries that nobody has claimed, the earliest first. `tooLong` if some have waited too long to be sent.
     */
    async due(
      workspaceId: string,
      endpointId: string,
      { claimedIds, limit }: { claimedIds: string[]; limit: number },
    ): Promise<{ deliveries: DueDelivery[]; tooLong: boolean }> {
      const found = await collection
        .find({
          ...{ workspaceId, endpointId, status: "pending", ...DUE },
          ...(claimedIds.length > 0 && { _id: { $nin: claimedIds } }),
        })
        .sort({ nextAttemptAt: 1 })
        .limit(limit)
        .project<DeliveryDocument & { tooLong: boolean }>({
          ...{ messageId: 1, body: 1, attempts: 1, tooLong: WAITED_TOO_LONG },
        })
        .toArray();
      const deliveries = found
        .filter(({ tooLong }) => !tooLong)
        .map(({ _id: id, messageId, body, attempts }) => ({ id, messageId, body, attempts }));
      return { deliveries, tooLong: deliveries.length < found.length };
    },

    /** Ends the pending deliveries that have waited too long. */
    async failWaitedTooLong(workspaceId: string, endpointId: string): Promise<void> {
      await collection.updateMany(
        { workspaceId, endpointId, status: "pending", $expr: WAITED_TOO_LONG },
        { $set: { status: "failed", lastError: "waited for more than 30 days" } },
      );
    },

    /** Counts the attempts of turns whose worker did not save their outcomes. */
    async countLost(workspaceId: string, turns: readonly ClaimedTurn[]): Promise<void> {
      if (turns.length === 0) return;
      const writes = turns.map(({ since, deliveryIds }) => ({
        updateMany: {
          filter: {
            ...{ workspaceId, _id: { $in: deliveryIds }, status: "pending" as const },
            nextAttemptAt: { $lte: since },
          },
          update: { $inc: { attempts: 1 } },
        },
      }));
      await collection.bulkWrite(writes, { ordered: false });
    },

    /**
     * Saves the outcome of a claimed attempt. False when its lease or the delivery has ended. Outcomes of the same moment
     * share a write; when that does not save all, which of them is false is not known.
     */
    saveOutcome: (saved: SavedOutcome): Promise<boolean> => outcomes.add(saved),

    /** Ends pending deliveries of an endpoint that is disabled or deleted: the given ones, or all. */
    async failPending(workspaceId: string, endpointId: string, ids?: readonly string[]): Promise<void> {
      const lastError = "the subscription is disabled or deleted";
      await collection.updateMany(
        { workspaceId, endpointId, status: "pending", ...(ids !== undefined && { _id: { $in: [...ids] } }) },
        { $set: { status: "failed", lastError } },
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

/** Deliveries of one turn with the same answer share a write. */
const answerOf = ({ turn, outcome }: SavedOutcome): string =>
  `${turn.claim} ${outcome.lastResponseStatus} ${outcome.lastResponseExcerpt}`;

/**
 * The deliveries of a claim, as long as its lease lasts. A delivery that has ended or was attempted since is not pending, or is due
 * after the claim.
 */
function claimedBy({ since, until }: ClaimedTurn) {
  return {
    status: "pending" as const,
    nextAttemptAt: { $lte: since },
    $expr: { $lt: ["$$NOW", until] },
  };
}

const ONE_MORE = { $add: ["$attempts", 1] };

/** One write for some deliveries with the same answer: a write for each costs the database twice as much. */
function deliveredWrite(first: SavedOutcome, rest: readonly SavedOutcome[]) {
  const { workspaceId, turn, outcome } = first;
  const saved = [first, ...rest];
  const ids = saved.map(({ id }) => id);
  const durations = saved.map((one) => one.outcome.lastDurationMs);
  const change = {
    status: "delivered",
    attempts: ONE_MORE,
    lastDurationMs: { $arrayElemAt: [durations, { $indexOfArray: [ids, "$_id"] }] },
    lastResponseStatus: outcome.lastResponseStatus,
    lastResponseExcerpt: literal(outcome.lastResponseExcerpt),
    lastError: "$$REMOVE",
  };
  const filter = { workspaceId, _id: { $in: ids }, ...claimedBy(turn) };
  return { filter, update: [{ $set: change }] };
}

function outcomeWrite({ workspaceId, id, turn, outcome }: SavedOutcome) {
  const { next, lastResponseStatus = "$$REMOVE", lastDurationMs } = outcome;
  const change = {
    ...("status" in next
      ? { status: next.status }
      : { nextAttemptAt: { $add: ["$$NOW", next.retryAfterMs] } }),
    attempts: ONE_MORE,
    lastDurationMs,
    lastResponseStatus,
    lastResponseExcerpt: literal(outcome.lastResponseExcerpt),
    lastError: literal(outcome.lastError),
  };
  const filter = { workspaceId, _id: id, ...claimedBy(turn) };
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
