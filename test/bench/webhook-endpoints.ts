import { connectMongo, type Mongo } from "@asset-register/mongo";
import { createKeyring, createLogger, createMetrics, newId } from "@asset-register/runtime";
import type { Endpoint } from "../../services/notification/src/domain/webhooks/endpoint.ts";
import { newSecret } from "../../services/notification/src/domain/webhooks/signing.ts";
import { createSigningKeys } from "../../services/notification/src/sending/signing-keys.ts";
import { createDeliveryStore } from "../../services/notification/src/store/webhooks/deliveries.ts";
import { createEndpointStore } from "../../services/notification/src/store/webhooks/endpoints.ts";
import { type Baseline, startBaseline } from "./child.ts";
import type { BenchPlatform } from "./platform.ts";

/** The counts of the receiver since the last reset. */
type Counted = { count: number; latencies: number[] };

export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>;

/** The receiver, and the database of notification with the endpoints of the benchmark. */
export async function openWebhooks({ platform, mongoUrl }: BenchPlatform) {
  const env = platform.services.notification?.env ?? {};
  const mongo = await connectMongo({
    ...{ url: mongoUrl, database: env.MONGO_DATABASE ?? "", production: false },
    logger: createLogger({ service: "bench", level: "error" }),
    metrics: createMetrics({ service: "bench" }),
  });
  const receiver: Baseline = await startBaseline("baseline-receiver.ts");
  const endpoints = createEndpointStore(mongo);
  const signingKeys = createSigningKeys(createKeyring(JSON.parse(env.KEYRING ?? "")));
  const counted = async (path: string): Promise<Counted> =>
    (await fetch(`${receiver.origin}${path}`)).json() as Promise<Counted>;
  return {
    mongo,
    receiver,
    deliveries: createDeliveryStore(mongo),
    received: async () => (await counted("/")).count,
    reset: () => counted("/reset"),
    /** Creates a subscription to all events of a workspace. */
    async subscribe(workspaceId: string, url = `${receiver.origin}/hook`): Promise<Endpoint> {
      const id = newId("whk");
      const endpoint: Endpoint = {
        ...{ id, workspaceId, kind: "subscription", url, events: ["*"], status: "active" },
        ...{ secret: signingKeys.seal(id, newSecret()), createdAt: new Date(), rev: 1 },
      };
      await mongo.transaction({}, (session) => endpoints.insert(workspaceId, endpoint, session));
      return endpoint;
    },
    async stop(): Promise<void> {
      await receiver.stop();
      await mongo.close();
    },
  };
}

/** The rows of deliveries, for a benchmark that adds and removes them. */
export const deliveryRows = (mongo: Mongo) =>
  mongo.collection<{ _id: string; workspaceId: string } & Record<string, unknown>>("deliveries");
