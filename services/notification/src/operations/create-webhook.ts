import type { Call } from "@asset-register/rpc";
import { changesBetween, conflict, invalid, newId } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { type EventFilter, isEventFilter, messageTypes } from "../domain/message.ts";
import { newSecret } from "../domain/signing.ts";
import { originOf } from "../domain/webhook-url.ts";
import { auditEntry } from "../published.ts";
import type { Endpoint } from "../store/endpoints.ts";
import { checkReceiver } from "./check-receiver.ts";

/** Subscriptions a workspace. */
export const MAX_SUBSCRIPTIONS = 20;

export type CreatedWebhook = { webhook: Endpoint; secret: string };

/** Makes a subscription; its secret is shown in this answer only. */
export async function createWebhook(
  parts: Pick<Context, "mongo" | "outbox" | "endpoints" | "limits" | "keys" | "resolve" | "allowedNetworks">,
  input: { url: string; events: string[] },
  call: Call,
): Promise<CreatedWebhook> {
  const { workspaceId } = call;
  const events = parseEvents(input.events);
  const url = await checkReceiver(parts, input.url, "url");
  const id = newId("whk");
  const secret = newSecret();
  const webhook: Endpoint = {
    id,
    workspaceId,
    kind: "subscription",
    url,
    events,
    secret: parts.keys.seal(id, secret),
    status: "active",
    createdAt: new Date(),
    rev: 1,
  };
  return parts.mongo.transaction(call, async (session) => {
    // Two who count at once would both find room: the common row makes one of them count again.
    await parts.limits.touch(workspaceId, session);
    if ((await parts.endpoints.countSubscriptions(workspaceId, session)) >= MAX_SUBSCRIPTIONS) {
      throw conflict("WEBHOOK_LIMIT_REACHED", `A workspace has at most ${MAX_SUBSCRIPTIONS} webhooks`);
    }
    await parts.endpoints.insert(webhook, session);
    const details = changesBetween({}, auditedWebhook(webhook));
    await parts.outbox.add(session, auditEntry(call, webhook.createdAt, "webhook.created", id, details));
    return { webhook, secret };
  });
}

/** What the audit log is told of a subscription. */
export function auditedWebhook({ url, events }: Pick<Endpoint, "url" | "events">) {
  return { url: originOf(url), events };
}

function parseEvents(texts: string[]): EventFilter[] {
  if (texts.length === 0) throw invalid([{ field: "events", message: "must name at least one type" }]);
  const known = texts.filter(isEventFilter);
  const violations = texts.flatMap((text, index) =>
    isEventFilter(text)
      ? []
      : [{ field: `events.${index}`, message: `must be one of ${messageTypes.join(", ")}, *` }],
  );
  if (violations.length > 0) throw invalid(violations);
  return [...new Set(known)];
}
