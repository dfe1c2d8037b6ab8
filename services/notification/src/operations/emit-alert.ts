import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { Alert } from "../domain/alert.ts";
import type { AlertRule } from "../domain/alert-rule.ts";
import { alertMessage } from "../domain/payload.ts";
import { alertChanged } from "../published.ts";
import { deliveryOf, enqueueMessages } from "./enqueue-messages.ts";

/** Reports a change of an alert in the transaction of the change: by an event, and to the webhooks that ask for it. */
export async function emitAlert(
  context: Context,
  alert: Alert,
  at: Date,
  session: ClientSession,
): Promise<void> {
  await context.outbox.add(session, alertChanged(alert, at));
  await enqueueMessages(context, alert.workspaceId, [alertMessage(alert, at)], session);
}

/** Reports a raised alert on the channel of its rule: to the rule's webhook, or by a notice in the app. */
export async function notifyChannel(
  { stores }: Context,
  rule: AlertRule,
  alert: Alert,
  at: Date,
  session: ClientSession,
): Promise<void> {
  if (rule.channel === "webhook") {
    await stores.deliveries.addOnce([deliveryOf(alertMessage(alert, at), rule.id)], session);
    return;
  }
  const { id: alertId, workspaceId, ruleId, subject } = alert;
  const notice = { id: newId("ntc"), workspaceId, kind: "alert", at, alertId, ruleId, subject } as const;
  await stores.notices.insert(workspaceId, notice, session);
}
