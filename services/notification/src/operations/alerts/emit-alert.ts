import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Alert } from "../../domain/alerts/alert.ts";
import { alertMessage } from "../../domain/webhooks/payload.ts";
import { alertChanged } from "../../published.ts";
import { enqueueMessages } from "../webhooks/enqueue-messages.ts";

/**
 * Reports changes of alerts in the transaction of the changes: by an event each, and to the webhooks that ask for them.
 */
export async function emitAlerts(
  context: Context,
  workspaceId: string,
  alerts: readonly Alert[],
  at: Date,
  session: ClientSession,
): Promise<void> {
  if (alerts.length === 0) return;
  await context.outbox.add(session, ...alerts.map((alert) => alertChanged(alert, at)));
  const messages = alerts.map((alert) => alertMessage(alert, at));
  await enqueueMessages(context, workspaceId, messages, session);
}
