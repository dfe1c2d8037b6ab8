import { AlertSchema, AlertStatus } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable, rev, unset } from "../http/schemas.ts";
import { clone } from "./sighting.ts";

export const alertStatus = enumOf(AlertStatus);

/** The fields of an alert in answers and in webhook messages. */
export const alertProperties = {
  rule_id: id("rul"),
  status: alertStatus,
  subject: Type.String({
    description: 'The asset, the reader, or "epc:..." for an unknown tag',
    examples: [exampleId("ast"), exampleId("rdr")],
  }),
  asset_id: nullable(id("ast")),
  zone_id: nullable(id("zon")),
  reader_id: nullable(id("rdr")),
  clone: unset(clone),
  count: Type.Integer({ description: "How often it was seen while it was open", examples: [3] }),
  acknowledged_at: unset(instant()),
  resolved_at: unset(instant()),
};

export const alert = resource(AlertSchema, "Alert", {
  id: id("alr"),
  ...alertProperties,
  rule_name: nullable(like("Leaves the building")),
  acknowledged_by: unset(id("usr")),
  resolved_by: unset(
    Type.String({
      description: "The user, or the service if it was resolved automatically",
      examples: [exampleId("usr")],
    }),
  ),
  first_at: nullable(instant()),
  last_at: nullable(instant()),
  rev,
});
