import type { Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { DELIVERIES, type DeliveryDocument } from "./deliveries.ts";

/** An endpoint with deliveries that wait, the first of them for `inMs` by the database's clock. */
export type Waiting = { workspaceId: string; endpointId: string; inMs: number };

export type DueDeliveries = ReturnType<typeof createDueDeliveries>;

/** What a worker asks of all workspaces at once: which endpoints have work. */
export function createDueDeliveries(mongo: Mongo) {
  const rows = systemCollection<DeliveryDocument>(mongo, DELIVERIES);
  const waiting = () =>
    rows.aggregate<Waiting>([
      { $match: { status: "pending" } },
      { $sort: { status: 1, endpoint_id: 1, next_attempt_at: 1 } },
      {
        $group: {
          _id: "$endpoint_id",
          workspaceId: { $first: "$workspaceId" },
          at: { $first: "$next_attempt_at" },
        },
      },
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
    /** One row an endpoint, however many deliveries wait for it: the index "due" is read by skipping. */
    waiting: (): Promise<Waiting[]> => waiting().toArray(),

    explain: () => waiting().explain(),

    /** Tells of each new delivery until the signal; ends by throwing when the stream breaks. */
    async watch(onInsert: (waiting: Waiting) => void, signal: AbortSignal): Promise<void> {
      const stream = rows.watch([
        { $match: { operationType: "insert" } },
        { $project: { operationType: 1, "fullDocument.endpoint_id": 1, "fullDocument.workspaceId": 1 } },
      ]);
      const close = (): void => void stream.close().catch(() => {});
      signal.addEventListener("abort", close, { once: true });
      try {
        for await (const change of stream) {
          if (change.operationType !== "insert") continue;
          const { endpoint_id, workspaceId } = change.fullDocument;
          onInsert({ endpointId: endpoint_id, workspaceId, inMs: 0 });
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        signal.removeEventListener("abort", close);
        close();
      }
    },
  };
}
