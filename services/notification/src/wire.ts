import { type AlertSchema, AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Alert } from "./domain/alert.ts";

export const alertStatuses = {
  open: AlertStatus.OPEN,
  acknowledged: AlertStatus.ACKNOWLEDGED,
  resolved: AlertStatus.RESOLVED,
} as const satisfies Record<Alert["status"], AlertStatus>;

/** An alert as RPCs answer it and events carry it. */
export function encodeAlert(alert: Alert): MessageInitShape<typeof AlertSchema> {
  return {
    id: alert.id,
    ruleId: alert.ruleId,
    status: alertStatuses[alert.status],
    subject: alert.subject,
    assetId: alert.assetId ?? "",
    zoneId: alert.zoneId ?? "",
    readerId: alert.readerId ?? "",
    count: alert.count,
    firstAt: timestampFromDate(alert.firstAt),
    lastAt: timestampFromDate(alert.lastAt),
    ...optionalTime("acknowledgedAt", alert.acknowledgedAt),
    ...optionalTime("resolvedAt", alert.resolvedAt),
    rev: alert.rev,
  };
}

function optionalTime<K extends string>(name: K, at: Date | undefined) {
  return at === undefined ? {} : { [name]: timestampFromDate(at) };
}
