import { auditEvent } from "@asset-register/audit";
import type { OutgoingEvent } from "@asset-register/events";
import type { AlertEventSchema } from "@asset-register/proto/assetregister/events/v1/alert_pb";
import { topics } from "@asset-register/proto/topics";
import type { Alert } from "./domain/alert.ts";
import { alertType } from "./domain/payload.ts";
import { encodeAlert } from "./wire.ts";

/** Topics of the outbox. */
export const published = [topics.alert, topics.audit];

type Action =
  | "webhook.created"
  | "webhook.deleted"
  | "webhook.disabled"
  | "alert_rule.created"
  | "alert_rule.webhook_disabled";

/** What the audit log is told. */
export const auditEntry = auditEvent<Action>;

const changes = {
  open: { case: "raised", value: {} },
  acknowledged: { case: "acknowledged", value: {} },
  resolved: { case: "resolved", value: {} },
} as const satisfies Record<Alert["status"], object>;

/** An alert that has just come to its status. */
export function alertEvent(alert: Alert, time: Date): OutgoingEvent<typeof AlertEventSchema> {
  return {
    topic: topics.alert,
    workspaceId: alert.workspaceId,
    subject: alert.id,
    sequence: alert.rev,
    type: alertType(alert),
    message: { state: encodeAlert(alert), change: changes[alert.status] },
    time,
  };
}
