import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../context.ts";
import { type Message, messageBody, messageId, wants } from "../domain/message.ts";
import type { NewDelivery } from "../store/deliveries.ts";

/**
 * Makes a delivery of each message for each subscription of its workspace that
 * wants it. Doing it again adds nothing.
 */
export async function enqueueMessages(
  { endpoints, deliveries }: Pick<Context, "endpoints" | "deliveries">,
  workspaceId: string,
  messages: Message[],
  session?: ClientSession,
): Promise<void> {
  const subscriptions = await endpoints.activeSubscriptions(workspaceId, session);
  const wanted = messages.flatMap((message) =>
    subscriptions
      .filter((subscription) => wants(subscription.events, message.type))
      .map((subscription) => deliveryOf(message, subscription.id)),
  );
  await deliveries.addOnce(wanted, session);
}

/** A message on its way to one endpoint. */
export function deliveryOf(message: Message, endpointId: string): NewDelivery {
  return {
    workspaceId: message.workspaceId,
    endpointId,
    messageId: messageId(message),
    type: message.type,
    body: messageBody(message),
  };
}
