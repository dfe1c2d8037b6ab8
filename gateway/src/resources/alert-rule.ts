import {
  AlertChannel,
  type AlertCondition,
  type AlertConditionSchema,
  type AlertRule,
  AlertScope,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { orNull, presentInstant } from "../http/present.ts";
import { body, exampleId, id, instant, like, named, nullable, rev } from "../http/schemas.ts";
import { wireEnum } from "../http/wire-enum.ts";

const alertScope = wireEnum({
  all: AlertScope.ALL,
  zone: AlertScope.ZONE,
  location: AlertScope.LOCATION,
  category: AlertScope.CATEGORY,
  asset: AlertScope.ASSET,
});

const alertChannel = wireEnum({
  inapp: AlertChannel.INAPP,
  email: AlertChannel.EMAIL,
  webhook: AlertChannel.WEBHOOK,
});

const condition = Type.Union(
  [
    body({ type: Type.Literal("seen_in_zone"), zone_id: id("zon") }),
    body({ type: Type.Literal("left_zone"), zone_id: id("zon") }),
    body({ type: Type.Literal("unknown_tag") }),
  ],
  { title: "AlertCondition" },
);

export const alertRuleSchema = Type.Object(
  {
    id: id("rul"),
    name: like("Leaves the building"),
    scope_type: alertScope.schema,
    scope_id: nullable(like(exampleId("cat"))),
    condition,
    channel: alertChannel.schema,
    channel_target: nullable(like("https://example.com/hooks/alerts")),
    enabled: Type.Boolean(),
    cooldown_seconds: Type.Integer(),
    rev,
    created_at: nullable(instant()),
    secret: Type.Optional(
      Type.String({
        description: "Of a webhook rule, once",
        examples: ["whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="],
      }),
    ),
  },
  { title: "AlertRule" },
);

export const newAlertRuleSchema = body(
  {
    name: named("Leaves the building"),
    scope_type: alertScope.schema,
    scope_id: Type.Optional(Type.String({ minLength: 1, maxLength: limits.id })),
    condition,
    channel: alertChannel.schema,
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

/** A body of POST /alert-rules as its RPC takes it. */
export function toNewAlertRule(input: Type.Static<typeof newAlertRuleSchema>) {
  return {
    name: input.name,
    scopeType: alertScope.value(input.scope_type),
    scopeId: input.scope_id,
    condition: toCondition(input.condition),
    channel: alertChannel.value(input.channel),
    channelTarget: input.channel_target,
    cooldownSeconds: input.cooldown_seconds,
  };
}

function toCondition(input: Type.Static<typeof condition>): MessageInitShape<typeof AlertConditionSchema> {
  switch (input.type) {
    case "seen_in_zone":
      return { condition: { case: "seenInZone", value: { zoneId: input.zone_id } } };
    case "left_zone":
      return { condition: { case: "leftZone", value: { zoneId: input.zone_id } } };
    case "unknown_tag":
      return { condition: { case: "unknownTag", value: {} } };
  }
}

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
      throw new RangeError("An alert rule of a kind that this release does not know");
  }
}

/** A rule as surface B shows it. */
export function presentAlertRule(rule: AlertRule): Type.Static<typeof alertRuleSchema> {
  return {
    id: rule.id,
    name: rule.name,
    scope_type: alertScope.name(rule.scopeType),
    scope_id: orNull(rule.scopeId),
    condition: presentCondition(rule.condition),
    channel: alertChannel.name(rule.channel),
    channel_target: orNull(rule.channelTarget),
    enabled: rule.enabled,
    cooldown_seconds: rule.cooldownSeconds,
    rev: rule.rev,
    created_at: presentInstant(rule.createdAt),
  };
}
