import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { NewDelivery } from "../../domain/webhooks/delivery.ts";
import { isNewFor } from "../../domain/webhooks/endpoint.ts";
import { type Message, messageBody, messageId, wants } from "../../domain/webhooks/message.ts";

/** Adds a delivery of each message for each subscription that asks for it. Repeating it adds nothing. */
export async function enqueueMessages(
  { stores }: Context,
  workspaceId: string,
  messages: Message[],
  session?: ClientSession,
): Promise<void> {
  const subscriptions = await stores.endpoints.activeSubscriptions(workspaceId, session);
  const deliveries = messages.flatMap((message) =>
    subscriptions
      .filter(({ events }) => wants(events, message.type))
      .filter((subscription) => !message.publishedAt || isNewFor(subscription, message.publishedAt))
      .map(({ id }) => deliveryOf(message, id)),
  );
  await stores.deliveries.addOnce(deliveries, session);
}

/** A message on its way to one endpoint. */
export function deliveryOf(message: Message, endpointId: string): NewDelivery {
  const { workspaceId, type } = message;
  return { workspaceId, endpointId, messageId: messageId(message), type, body: messageBody(message) };
}
