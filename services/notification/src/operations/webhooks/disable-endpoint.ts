import { changesBetween, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import { auditEntry } from "../../published.ts";

const actions = { subscription: "webhook.disabled", rule: "alert_rule.webhook_disabled" } as const;

/** Why, and with "failing" since when. */
export type Disabled = { reason: "gone" | "failing"; failingSince?: Date | undefined };

/** Disables an endpoint that answered 410 or has only failed for days. Leaves one notice and one audit entry. */
export async function disableEndpoint(
  { mongo, stores, outbox, now }: Context,
  endpoint: Endpoint,
  { reason, failingSince }: Disabled,
): Promise<void> {
  const { id: endpointId, workspaceId, kind } = endpoint;
  const by = { workspaceId, actor: { kind: "service", id: "notification" } } as const;
  await mongo.transaction({}, async (session) => {
    if (!(await stores.endpoints.disable(workspaceId, endpoint, failingSince, session))) return;
    const at = now();
    const notice = {
      id: newId("ntc"),
      workspaceId,
      kind: "endpoint_disabled",
      at,
      endpointId,
      reason,
    } as const;
    await stores.notices.insert(workspaceId, notice, session);
    const changes = changesBetween({}, { reason });
    await outbox.add(session, auditEntry(by, at, actions[kind], endpointId, changes));
  });
}
