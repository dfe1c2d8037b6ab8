import { auditEvent } from "@asset-register/audit";
import { type OutgoingEvent, recordEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import type { Alert } from "./domain/alerts/alert.ts";
import { alertType } from "./domain/webhooks/payload.ts";
import { encodeAlert } from "./encode/alert.ts";

/** Topics of the outbox. */
export const published = [topics.alert, topics.audit];

/** The entries of the audit log. */
export const auditEntry = auditEvent<
  | "webhook.created"
  | "webhook.updated"
  | "webhook.deleted"
  | "webhook.secret_rotated"
  | "webhook.disabled"
  | "alert_rule.created"
  | "alert_rule.secret_rotated"
  | "alert_rule.updated"
  | "alert_rule.deleted"
  | "alert_rule.webhook_disabled"
  | "alert.acknowledged"
  | "alert.resolved"
>;

const changes = {
  open: "raised",
  acknowledged: "acknowledged",
  resolved: "resolved",
} as const satisfies Record<Alert["status"], string>;

/** An alert that has changed to its status. */
export function alertChanged(alert: Alert, time: Date): OutgoingEvent<typeof topics.alert.schema> {
  return recordEvent(topics.alert, alert, {
    type: alertType(alert),
    message: { state: encodeAlert(alert), change: { case: changes[alert.status], value: {} } },
    time,
  });
}
