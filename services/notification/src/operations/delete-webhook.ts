import type { Call } from "@asset-register/rpc";
import { changesBetween, notFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { auditEntry } from "../published.ts";
import { auditedWebhook } from "./create-webhook.ts";

/** Ends a subscription. What waits for it is dropped by the worker that next looks. */
export async function deleteWebhook(
  parts: Pick<Context, "mongo" | "outbox" | "endpoints">,
  { id, ifRevIn }: { id: string; ifRevIn: readonly number[] },
  call: Call,
): Promise<void> {
  const { workspaceId } = call;
  await parts.mongo.transaction(call, async (session) => {
    const webhook = await parts.endpoints.find(workspaceId, id, session);
    if (webhook?.kind !== "subscription") throw notFound("There is no such webhook");
    requireRev(webhook.rev, ifRevIn);
    // Who changes it at the same time meets a write conflict, and this starts again.
    await parts.endpoints.deleteSubscription(workspaceId, id, session);
    const details = changesBetween(auditedWebhook(webhook), {});
    await parts.outbox.add(session, auditEntry(call, new Date(), "webhook.deleted", id, details));
  });
}
