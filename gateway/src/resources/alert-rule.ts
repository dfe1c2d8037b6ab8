import {
  AlertChannel,
  type AlertCondition,
  AlertConditionSchema,
  AlertRuleSchema,
  AlertScope,
  type CreateAlertRuleRequestSchema,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, named, nullable, rev } from "../http/schemas.ts";

const scopeType = enumOf(AlertScope);
const channel = enumOf(AlertChannel);

const condition = Type.Union(
  [
    body({ type: Type.Literal("seen_in_zone"), zone_id: id("zon") }),
    body({ type: Type.Literal("left_zone"), zone_id: id("zon") }),
    body({ type: Type.Literal("unknown_tag") }),
  ],
  { title: "AlertCondition" },
);

export const alertRule = resource(
  AlertRuleSchema,
  "AlertRule",
  {
    id: id("rul"),
    name: like("Leaves the building"),
    scope_type: scopeType,
    scope_id: nullable(like(exampleId("cat"))),
    condition,
    channel,
    channel_target: nullable(like("https://example.com/hooks/alerts")),
    enabled: Type.Boolean(),
    cooldown_seconds: Type.Integer(),
    rev,
    created_at: nullable(instant()),
  },
  { condition: (rule) => presentCondition(rule.condition) },
);

/** The answer to a creation. */
export const createdAlertRuleSchema = Type.Object(
  {
    ...alertRule.schema.properties,
    secret: Type.Optional(
      Type.String({
        description: "Of a webhook rule, once",
        examples: ["whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="],
      }),
    ),
  },
  { title: "CreatedAlertRule" },
);

export const newAlertRuleSchema = body(
  {
    name: named("Leaves the building"),
    scope_type: scopeType,
    scope_id: Type.Optional(Type.String({ minLength: 1, maxLength: limits.id })),
    condition,
    channel,
    channel_target: Type.Optional(Type.String({ minLength: 1, maxLength: limits.url })),
    cooldown_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.cooldownSeconds })),
  },
  {
    title: "NewAlertRule",
    examples: [
      {
        name: "Leaves the building",
        scope_type: "all",
        condition: { type: "left_zone", zone_id: exampleId("zon") },
        channel: "inapp",
      },
    ],
  },
);

const toAlertRule = requestMessage(AlertRuleSchema, newAlertRuleSchema, "condition");

/** The request of a body of POST /alert-rules. */
export const toNewAlertRule = (
  input: Type.Static<typeof newAlertRuleSchema>,
): MessageInitShape<typeof CreateAlertRuleRequestSchema> => ({
  alertRule: { ...toAlertRule(input), condition: toCondition(input.condition) },
});

function toCondition(input: Type.Static<typeof condition>): AlertCondition {
  switch (input.type) {
    case "seen_in_zone":
      return conditionOf({ case: "seenInZone", value: { zoneId: input.zone_id } });
    case "left_zone":
      return conditionOf({ case: "leftZone", value: { zoneId: input.zone_id } });
    case "unknown_tag":
      return conditionOf({ case: "unknownTag", value: {} });
  }
}

const conditionOf = (condition: MessageInitShape<typeof AlertConditionSchema>["condition"]): AlertCondition =>
  create(AlertConditionSchema, { condition });

function presentCondition(given: AlertCondition | undefined): Type.Static<typeof condition> {
  const { case: type, value } = given?.condition ?? { case: undefined };
  switch (type) {
    case "seenInZone":
      return { type: "seen_in_zone", zone_id: value.zoneId };
    case "leftZone":
      return { type: "left_zone", zone_id: value.zoneId };
    case "unknownTag":
      return { type: "unknown_tag" };
    default:
      throw new RangeError("The condition of the alert rule is not known to this release");
  }
}
