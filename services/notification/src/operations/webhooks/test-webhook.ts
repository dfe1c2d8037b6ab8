import type { Call } from "@asset-register/rpc";
import { conflict, newId, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Delivery } from "../../domain/webhooks/delivery.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import { testMessage } from "../../domain/webhooks/payload.ts";
import { deliveryOf } from "./enqueue-messages.ts";

export type TestWebhook = { id: string; ifRevIn: readonly number[] };

/** Sends a message of type webhook.test to a subscription, whatever events it asks for. */
export function testWebhook(
  { mongo, stores, now }: Context,
  { id, ifRevIn }: TestWebhook,
  call: Call,
): Promise<Delivery> {
  const { workspaceId } = call;
  const delivery = deliveryOf(testMessage(workspaceId, id, newId("msg"), now()), id);
  return mongo.transaction(call, async (session) => {
    const found = await stores.endpoints.getSubscription(workspaceId, id, session);
    const webhook = requireFound(found, "webhook");
    requireRev(webhook.rev, ifRevIn);
    requireEnabled(webhook);
    await stores.deliveries.addOnce([delivery], session);
    return requireFound(
      await stores.deliveries.getByMessage(workspaceId, id, delivery.messageId, session),
      "delivery",
    );
  });
}

/** @throws AppError CONFLICT: the worker would only fail what waits for a disabled subscription */
export function requireEnabled({ status }: Pick<Endpoint, "status">): void {
  if (status === "active") return;
  throw conflict("CONFLICT", "The webhook is disabled. Set its status to active first.", [
    { field: "status", message: status },
  ]);
}
