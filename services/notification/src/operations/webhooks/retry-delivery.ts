import type { Call } from "@asset-register/rpc";
import { conflict, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Delivery } from "../../domain/webhooks/delivery.ts";
import { requireEnabled } from "./test-webhook.ts";

export type RetryDelivery = { id: string; webhookId: string; ifRevIn: readonly number[] };

/** Sends a message that was delivered or has failed again: the same id, a new timestamp, and up to ten attempts. */
export function retryDelivery(
  { mongo, stores }: Context,
  { id, webhookId, ifRevIn }: RetryDelivery,
  call: Call,
): Promise<Delivery> {
  const { workspaceId } = call;
  const { deliveries, endpoints } = stores;
  return mongo.transaction(call, async (session) => {
    const found = await endpoints.getSubscription(workspaceId, webhookId, session);
    const webhook = requireFound(found, "webhook");
    requireFound(await deliveries.get(workspaceId, webhookId, id, session), "delivery");
    requireRev(webhook.rev, ifRevIn);
    requireEnabled(webhook);
    if (!(await deliveries.retry(workspaceId, id, session))) {
      throw conflict("DELIVERY_NOT_FINAL", "The delivery is still pending. Wait until it has ended.", [
        { field: "status", message: "pending" },
      ]);
    }
    return requireFound(await deliveries.get(workspaceId, webhookId, id, session), "delivery");
  });
}
