import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../context.ts";
import type { Alert } from "../domain/alert.ts";
import type { AlertRule } from "../domain/alert-rule.ts";
import { alertMessage } from "../domain/payload.ts";
import { alertEvent } from "../published.ts";
import { deliveryOf, enqueueMessages } from "./enqueue-messages.ts";

type Parts = Pick<Context, "outbox" | "endpoints" | "deliveries" | "notices">;

/** Tells of a change of an alert, in the transaction that changes it: the event, and webhooks of subscriptions. */
export async function announceAlert(
  parts: Parts,
  alert: Alert,
  at: Date,
  session: ClientSession,
): Promise<void> {
  await parts.outbox.add(session, alertEvent(alert, at));
  await enqueueMessages(parts, alert.workspaceId, [alertMessage(alert, at)], session);
}

/** Tells whom a rule names that an alert was opened: once an opening. */
export async function notifyChannel(
  { deliveries, notices }: Parts,
  rule: AlertRule,
  alert: Alert,
  at: Date,
  session: ClientSession,
): Promise<void> {
  if (rule.channel === "webhook") {
    await deliveries.addOnce([deliveryOf(alertMessage(alert, at), rule.id)], session);
    return;
  }
  const { id: alertId, ruleId, subject, workspaceId } = alert;
  await notices.insert(workspaceId, { kind: "alert", alertId, ruleId, subject, at }, session);
}
