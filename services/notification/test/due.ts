import { newId } from "@asset-register/runtime";
import type { Context } from "../src/context.ts";
import type { Endpoint } from "../src/domain/webhooks/endpoint.ts";
import { newSecret } from "../src/domain/webhooks/signing.ts";
import { claimDeliveries, type Turn } from "../src/operations/webhooks/claim-deliveries.ts";

/** Longer than any test. */
export const LEASE_MS = 60_000;

type Row = { _id: string; workspaceId: string } & Record<string, unknown>;

/** Makes subscriptions with deliveries that are due, on a database where no worker runs. */
export const dueDeliveries =
  (context: Context) =>
  async (url: string, count = 1) => {
    const { mongo, stores, signingKeys } = context;
    const workspaceId = newId("wsp");
    const endpointId = newId("whk");
    const endpoint: Endpoint = {
      ...{ id: endpointId, workspaceId, kind: "subscription", url, events: ["*"], status: "active" },
      ...{ secret: signingKeys.seal(endpointId, newSecret()), createdAt: new Date(), rev: 1 },
    };
    await mongo.transaction({}, (session) => stores.endpoints.insert(workspaceId, endpoint, session));
    const deliveries = Array.from({ length: count }, (_, n) => ({
      ...{ workspaceId, endpointId, messageId: `msg_${n}`, type: "asset.moved" as const },
      body: JSON.stringify({ id: `msg_${n}` }),
    }));
    await stores.deliveries.addOnce(deliveries);
    const collection = mongo.collection<Row>("endpoints");
    const stored = { workspaceId, _id: endpointId };
    const log = async () =>
      (await stores.deliveries.list(workspaceId, endpointId, { page: 1, limit: 200 })).items;
    return {
      workspaceId,
      endpointId,
      log,
      claim: (leaseMs = LEASE_MS) => claimDeliveries(context, { workspaceId, endpointId }, leaseMs),
      end: ({ claimed: { claim } }: Turn) =>
        stores.turns.keep(workspaceId, endpointId, claim, { slots: 0, deliveryIds: [] }),
      /** Ends the leases of all claims. */
      expire: () =>
        collection.updateOne(stored, {
          $set: { "slots.$[].until": new Date(0), "turns.$[].until": new Date(0) },
        }),
      delivery: async () => (await log())[0],
      endpoint: () => collection.findOne(stored),
      /** As if it had only failed: for the first and the last time so many hours ago. */
      failed: (first: number, last: number) =>
        collection.updateOne(stored, {
          $set: { failures: 9, failingSince: hoursAgo(first), failedAt: hoursAgo(last) },
        }),
    };
  };

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
