import type { Index, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { type DeliveryDocument, deliveryRecords } from "./deliveries.ts";

/** Longer than the topics are kept, because a row is what removes repeats. */
const KEPT_SECONDS = 45 * 86_400;

/** The indexes of deliveries across workspaces. */
export const dueDeliveryIndexes: readonly Index[] = [
  {
    name: "due",
    key: { status: 1, endpointId: 1, nextAttemptAt: 1, workspaceId: 1 },
    partialFilterExpression: { status: "pending" },
  },
  {
    name: "log_expiry",
    key: { createdAt: 1 },
    expireAfterSeconds: KEPT_SECONDS,
    // A pending delivery never expires.
    partialFilterExpression: { status: { $in: ["delivered", "failed"] } },
  },
];

/** An endpoint with pending deliveries. The first is due in `inMs` by the database's clock. */
export type PendingEndpoint = { workspaceId: string; endpointId: string; inMs: number };

/** Of the first release. It removed pending deliveries too, and repeats while the topics still had their events. */
export async function dropFirstExpiry(mongo: Mongo): Promise<void> {
  const collection = systemCollection(mongo, deliveryRecords.collection);
  const indexes = await collection.indexes();
  if (indexes.some(({ name }) => name === "expiry")) await collection.dropIndex("expiry");
}

/** The next delivery of each endpoint, however many are pending: the index "due" is read by skipping. */
const firstOfEach = [
  { $match: { status: "pending" } },
  { $sort: { status: 1, endpointId: 1, nextAttemptAt: 1 } },
  {
    $group: {
      _id: "$endpointId",
      workspaceId: { $first: "$workspaceId" },
      at: { $first: "$nextAttemptAt" },
    },
  },
];

/** A count of a million rows at each scrape would cost more than it says. */
const MOST_COUNTED = 100_000;

/** The deliveries of all workspaces, for the worker. */
export function createDueDeliveryStore(mongo: Mongo) {
  const collection = systemCollection<DeliveryDocument>(mongo, deliveryRecords.collection);
  const pending = () =>
    collection.aggregate<PendingEndpoint>([
      ...firstOfEach,
      {
        $project: {
          _id: 0,
          endpointId: "$_id",
          workspaceId: 1,
          inMs: { $toInt: { $max: [0, { $min: [{ $subtract: ["$at", "$$NOW"] }, 3_600_000] }] } },
        },
      },
    ]);
  return {
    /** One row for each endpoint, however many deliveries are pending: the index "due" is read by skipping. */
    listEndpoints: (): Promise<PendingEndpoint[]> => pending().toArray(),

    explain: () => pending().explain(),

    /** The due deliveries of all endpoints: how many, at most 100,000, and since when the oldest one is due. */
    async backlog(): Promise<{ waiting: number; oldestMs: number }> {
      const [endpoints, waiting] = await Promise.all([
        collection
          .aggregate<{ oldestMs: number }>([
            ...firstOfEach,
            { $group: { _id: null, at: { $min: "$at" } } },
            { $project: { _id: 0, oldestMs: { $max: [0, { $subtract: ["$$NOW", "$at"] }] } } },
          ])
          .toArray(),
        collection.countDocuments(
          { status: "pending", $expr: { $lte: ["$nextAttemptAt", "$$NOW"] } },
          { hint: "due", limit: MOST_COUNTED },
        ),
      ]);
      return { waiting, oldestMs: Number(endpoints[0]?.oldestMs ?? 0) };
    },
  };
}
