import { type ClientSession, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { QUIET_AFTER_MS } from "../../domain/webhooks/delivery.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";

/** Deliveries that a worker has claimed. `since` and `until` are times of the database. */
export type ClaimedTurn = { claim: string; since: Date; until: Date; deliveryIds: string[] };

/** The deliveries in flight, counted here for all workers together, and how the last attempts went. See turns.ts. */
export type EndpointBookkeeping = {
  slots: { claim: string; until: Date }[];
  /** Rows of the first release have none. */
  turns?: ClaimedTurn[] | undefined;
  /** Rises with each claim, so that of two claims at once one is made. */
  turnSeq?: number | undefined;
  /** Failures in a row. */
  failures: number;
  failingSince?: Date | undefined;
  failedAt?: Date | undefined;
};

const sealed = embedded({ keyId: String, nonce: Buffer, data: Buffer });

export const endpointRecords = defineRecords<Endpoint, EndpointBookkeeping>({
  collection: "endpoints",
  name: "webhook",
  fields: {
    kind: String,
    url: String,
    events: [String],
    secret: sealed,
    previousSecret: embedded({ sealed, endsAt: Date }),
    status: String,
    createdAt: Date,
    activeSince: Date,
    rev: Number,
  },
  beside: {
    slots: [embedded({ claim: String, until: Date })],
    turns: [embedded({ claim: String, since: Date, until: Date, deliveryIds: [String] })],
    turnSeq: Number,
    failures: Number,
    failingSince: Date,
    failedAt: Date,
  },
  indexes: [
    { name: "kind", key: { workspaceId: 1, kind: 1, _id: 1 } },
    { name: "active", key: { workspaceId: 1, kind: 1, status: 1 } },
  ],
});

/** Failures are native pipeline updates, because their times go by the database's clock. */
export function createEndpointStore(mongo: Mongo) {
  const { model, collection, get, toRecord, insert, save, findOne, list } = endpointRecords.store(mongo);
  const kind = "subscription";
  return {
    insert: (workspaceId: string, endpoint: Endpoint, session: ClientSession): Promise<void> =>
      insert(workspaceId, endpoint, session, { slots: [], failures: 0 }),

    getSubscription: (
      workspaceId: string,
      id: string,
      session?: ClientSession,
    ): Promise<Endpoint | undefined> => findOne(workspaceId, { _id: id, kind }, session),

    /** The endpoint of a subscription or of a rule. */
    get,

    /** The webhook of a rule, which has the id of the rule. */
    getOfRule: (workspaceId: string, ruleId: string, session: ClientSession): Promise<Endpoint | undefined> =>
      findOne(workspaceId, { _id: ruleId, kind: "rule" }, session),

    /** Whether the webhooks of rules are active, by the ids of the rules. */
    async statusOfRules(
      workspaceId: string,
      ruleIds: string[],
      session?: ClientSession,
    ): Promise<Map<string, Endpoint["status"]>> {
      if (ruleIds.length === 0) return new Map();
      const found = collection.find(
        { workspaceId, _id: { $in: ruleIds }, kind: "rule" },
        { projection: { status: 1 }, ...(session && { session }) },
      );
      return new Map((await found.toArray()).map(({ _id, status }) => [_id, status]));
    },

    save,

    /** The count of failures begins again: the endpoint was enabled, or leads to another receiver. */
    async clearFailures(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      const change = { $set: { failures: 0 }, $unset: { failingSince: true, failedAt: true } } as const;
      await model.updateOne({ workspaceId, _id: id }, change, { session });
    },

    // Callers give no filter, so the total has to be as new as the rows.
    listSubscriptions: (workspaceId: string, page: PageQuery): Promise<Page<Endpoint>> =>
      list(workspaceId, page, { filter: { kind }, countCacheMs: 0 }),

    countSubscriptions: (workspaceId: string, session: ClientSession): Promise<number> =>
      collection.countDocuments({ workspaceId, kind }, { session }),

    /** Without the turns of a busy endpoint, which are longer than the rest of its row. */
    async activeSubscriptions(workspaceId: string, session?: ClientSession): Promise<Endpoint[]> {
      const projection = { turns: 0 };
      const found = collection.find(
        { workspaceId, kind, status: "active" },
        { projection, ...(session && { session }) },
      );
      return (await found.toArray()).map(toRecord);
    },

    async deleteSubscription(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await model.deleteOne({ workspaceId, _id: id, kind }, { session });
    },

    async deleteRule(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await model.deleteOne({ workspaceId, _id: id, kind: "rule" }, { session });
    },

    /** False when the endpoint is disabled or deleted already, has another URL now, or its failures were cleared. */
    async disable(
      workspaceId: string,
      { id, url }: Pick<Endpoint, "id" | "url">,
      failingSince: Date | undefined,
      session: ClientSession,
    ): Promise<boolean> {
      const since = failingSince === undefined ? {} : { failingSince };
      const active = { workspaceId, _id: id, status: "active" as const, url, ...since };
      const change = { $set: { status: "disabled" }, $inc: { rev: 1 } } as const;
      return (await model.updateOne(active, change, { session })).modifiedCount === 1;
    },

    /** Records a success: the endpoint works again. */
    async recordSuccess(workspaceId: string, id: string): Promise<void> {
      await collection.updateOne(
        { workspaceId, _id: id },
        { $set: { failures: 0 }, $unset: { failingSince: true } },
      );
    },

    /** Records a failure. Returns how many there are in a row, and since when; undefined when the endpoint is deleted. */
    async recordFailure(
      workspaceId: string,
      id: string,
    ): Promise<{ failures: number; failingSince?: Date | undefined } | undefined> {
      const row = await collection.findOneAndUpdate({ workspaceId, _id: id }, [{ $set: FAILING }], {
        returnDocument: "after",
        projection: { failures: 1, failingSince: 1 },
      });
      return row ? { failures: row.failures, failingSince: row.failingSince } : undefined;
    },
  };
}

const WENT_QUIET = { $lt: ["$failedAt", { $subtract: ["$$NOW", QUIET_AFTER_MS] }] };
const FAILING = {
  failures: { $add: ["$failures", 1] },
  failingSince: { $cond: [WENT_QUIET, "$$NOW", { $ifNull: ["$failingSince", "$$NOW"] }] },
  failedAt: "$$NOW",
};
