import type { Call } from "@asset-register/rpc";
import { changesBetween, conflict, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import { originOf } from "../../domain/webhooks/origin-of.ts";
import { newSecret } from "../../domain/webhooks/signing.ts";
import { auditEntry } from "../../published.ts";
import { checkReceiver } from "./check-receiver.ts";

/** Subscriptions of a workspace. */
const MAX_SUBSCRIPTIONS = 20;

export type CreateWebhook = Pick<Endpoint, "url" | "events">;

/** The secret is shown in this answer only. */
export type CreatedWebhook = { webhook: Endpoint; secret: string };

/** Creates a subscription. */
export async function createWebhook(
  context: Context,
  { url, events }: CreateWebhook,
  call: Call,
): Promise<CreatedWebhook> {
  const { mongo, stores, outbox, signingKeys, now } = context;
  const { workspaceId } = call;
  const id = newId("whk");
  const createdAt = now();
  const secret = newSecret();
  const webhook: Endpoint = {
    ...{ id, workspaceId, kind: "subscription", events, status: "active", rev: 1 },
    ...{ createdAt, activeSince: createdAt },
    url: await checkReceiver(context, url, "url"),
    secret: signingKeys.seal(id, secret),
  };
  return mongo.transaction(call, async (session) => {
    // Two that count at the same time would both find room: the common row makes one of them count again.
    await stores.workspaceLimits.touch(workspaceId, session);
    if ((await stores.endpoints.countSubscriptions(workspaceId, session)) >= MAX_SUBSCRIPTIONS) {
      throw conflict("WEBHOOK_LIMIT_REACHED", `A workspace has at most ${MAX_SUBSCRIPTIONS} webhooks.`, [
        { field: "limit", message: String(MAX_SUBSCRIPTIONS) },
      ]);
    }
    await stores.endpoints.insert(workspaceId, webhook, session);
    const changes = changesBetween({}, auditedWebhook(webhook));
    await outbox.add(session, auditEntry(call, createdAt, "webhook.created", id, changes));
    return { webhook, secret };
  });
}

/** The fields of a subscription in the audit log. */
export function auditedWebhook({ url, events }: Pick<Endpoint, "url" | "events">) {
  return { url: originOf(url), events };
}
