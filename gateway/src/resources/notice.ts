import { NoticeKind, NoticeSchema } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, idOfAny, instant, nullable, unset } from "../http/schemas.ts";

export const notice = resource(NoticeSchema, "Notice", {
  id: id("ntc"),
  kind: enumOf(NoticeKind),
  at: nullable(instant()),
  alert_id: nullable(id("alr")),
  rule_id: nullable(id("rul")),
  subject: nullable(idOfAny("ast", "rdr")),
  endpoint_id: unset(
    Type.String({ description: "A webhook, or the rule of one", examples: [exampleId("whk")] }),
  ),
  reason: unset(
    Type.String({ description: "Why the endpoint was disabled: gone or failing", examples: ["gone"] }),
  ),
  count: unset(Type.Integer({ description: "Alerts of a digest", examples: [33] })),
  read_at: nullable(instant("When you read it")),
});
