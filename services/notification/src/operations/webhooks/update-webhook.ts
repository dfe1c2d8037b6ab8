import type { Call, Patch } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import { auditEntry } from "../../published.ts";
import { checkReceiver } from "./check-receiver.ts";
import { auditedWebhook } from "./create-webhook.ts";

export type UpdateWebhook = {
  id: string;
  change: Patch<Pick<Endpoint, "url" | "events" | "status">>;
  ifRevIn: readonly number[];
};

/** Changes a subscription. The count of failures begins again when it is set active or gets another URL. */
export async function updateWebhook(
  context: Context,
  { id, change, ifRevIn }: UpdateWebhook,
  call: Call,
): Promise<Endpoint> {
  const { mongo, stores, outbox, now } = context;
  const { workspaceId } = call;
  // A missing webhook is 404, whatever its new URL is.
  requireFound(await stores.endpoints.getSubscription(workspaceId, id), "webhook");
  const url = change.url === undefined ? undefined : await checkReceiver(context, change.url, "url");
  return mongo.transaction(call, async (session) => {
    const found = await stores.endpoints.getSubscription(workspaceId, id, session);
    const before = requireFound(found, "webhook");
    requireRev(before.rev, ifRevIn);
    const { events = before.events, status = before.status } = change;
    const activeSince = before.status !== "active" && status === "active" ? now() : before.activeSince;
    const after = { ...before, url: url ?? before.url, events, status, activeSince };
    if (change.status === "active" || after.url !== before.url) {
      await stores.endpoints.clearFailures(workspaceId, id, session);
    }
    const changes = changesBetween(changeable(before), changeable(after));
    if (changes.length === 0 && after.url === before.url) return before;
    const webhook = { ...after, rev: before.rev + 1 };
    await stores.endpoints.save(workspaceId, webhook, before.rev, session);
    await outbox.add(session, auditEntry(call, now(), "webhook.updated", id, changes));
    return webhook;
  });
}

const changeable = (webhook: Endpoint) => ({ ...auditedWebhook(webhook), status: webhook.status });
