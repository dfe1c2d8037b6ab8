import { type Alert, AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import Type from "typebox";
import { orNull, presentInstant } from "../http/present.ts";
import { exampleId, id, instant, nullable, rev } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

export const alertStatus = wireEnum({
  open: AlertStatus.OPEN,
  acknowledged: AlertStatus.ACKNOWLEDGED,
  resolved: AlertStatus.RESOLVED,
});

/** What an alert is about, in answers and in webhook messages. */
export const alertProperties = {
  rule_id: id("rul"),
  status: alertStatus.schema,
  subject: Type.String({
    description: 'The asset, or "epc:..." for an unknown tag',
    examples: [exampleId("ast")],
  }),
  asset_id: nullable(id("ast")),
  zone_id: nullable(id("zon")),
  reader_id: nullable(id("rdr")),
  count: Type.Integer({ description: "How often it was seen while it was open", examples: [3] }),
  acknowledged_at: nullable(instant()),
  resolved_at: nullable(instant()),
};

export const alertSchema = Type.Object(
  {
    id: id("alr"),
    ...alertProperties,
    first_at: nullable(instant()),
    last_at: nullable(instant()),
    rev,
  },
  { title: "Alert" },
);

/** An alert as surface B shows it. */
export function presentAlert(alert: Alert): Type.Static<typeof alertSchema> {
  return {
    id: alert.id,
    rule_id: alert.ruleId,
    status: alertStatus.name(alert.status),
    subject: alert.subject,
    asset_id: orNull(alert.assetId),
    zone_id: orNull(alert.zoneId),
    reader_id: orNull(alert.readerId),
    count: alert.count,
    first_at: presentInstant(alert.firstAt),
    last_at: presentInstant(alert.lastAt),
    acknowledged_at: presentInstant(alert.acknowledgedAt),
    resolved_at: presentInstant(alert.resolvedAt),
    rev: alert.rev,
  };
}
