import { changesBetween } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { auditEntry } from "../published.ts";
import type { Endpoint } from "../store/endpoints.ts";

const actions = { subscription: "webhook.disabled", rule: "alert_rule.webhook_disabled" } as const;

/** Turns an endpoint off, because it said 410 or only failed for days, and leaves a notice of it, once. */
export async function disableEndpoint(
  parts: Pick<Context, "mongo" | "outbox" | "endpoints" | "notices">,
  endpoint: Pick<Endpoint, "id" | "workspaceId" | "kind">,
  reason: "gone" | "failing",
): Promise<void> {
  const { id: endpointId, workspaceId, kind } = endpoint;
  const by = { workspaceId, actor: { kind: "service", id: "notification" } } as const;
  await parts.mongo.transaction({}, async (session) => {
    if (!(await parts.endpoints.disable(workspaceId, endpointId, session))) return;
    const at = new Date();
    const notice = { kind: "endpoint_disabled", endpointId, reason, at } as const;
    await parts.notices.insert(workspaceId, notice, session);
    const changes = changesBetween({}, { reason });
    await parts.outbox.add(session, auditEntry(by, at, actions[kind], endpointId, changes));
  });
}
