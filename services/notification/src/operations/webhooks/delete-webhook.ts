import type { Call } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { auditEntry } from "../../published.ts";
import { auditedWebhook } from "./create-webhook.ts";

export type DeleteWebhook = { id: string; ifRevIn: readonly number[] };

/** Deletes a subscription. The worker ends its pending deliveries when it next claims one. */
export async function deleteWebhook(
  { mongo, stores, outbox, now }: Context,
  { id, ifRevIn }: DeleteWebhook,
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  await mongo.transaction(call, async (session) => {
    const found = await stores.endpoints.getSubscription(workspaceId, id, session);
    const webhook = requireFound(found, "webhook");
    requireRev(webhook.rev, ifRevIn);
    // A concurrent change makes this a write conflict, and the transaction runs again.
    await stores.endpoints.deleteSubscription(workspaceId, id, session);
    const changes = changesBetween(auditedWebhook(webhook), {});
    await outbox.add(session, auditEntry(call, now(), "webhook.deleted", id, changes));
  });
}
