import {
  AlertChannel,
  AlertRuleSchema,
  AlertScope,
  type CreateAlertRuleRequestSchema,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { clearable, mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, named, nullable, rev } from "../http/schemas.ts";
import { condition, presentCondition, toCondition } from "./alert-condition.ts";

const scopeType = enumOf(AlertScope);
const channel = enumOf(AlertChannel);

const channelTarget = Type.String({
  minLength: 1,
  maxLength: limits.channelTarget,
  description: "The URL of a webhook, or up to 10 email addresses, separated by commas",
  examples: ["https://example.com/hooks/alerts"],
});
const cooldownSeconds = Type.Integer({ minimum: 0, maximum: limits.cooldownSeconds });
const scopeId = Type.String({ minLength: 1, maxLength: limits.id, examples: [exampleId("cat")] });

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
    webhook_status: nullable(
      Type.String({
        description:
          "Of a webhook rule: active or disabled. A receiver that answers 410 or fails for five days disables it; PATCH with enabled: true enables it again",
        examples: ["active"],
      }),
    ),
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
    scope_id: Type.Optional(scopeId),
    condition,
    channel,
    channel_target: Type.Optional(channelTarget),
    enabled: Type.Optional(Type.Boolean({ default: true })),
    cooldown_seconds: Type.Optional(cooldownSeconds),
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

const toAlertRule = requestMessage(AlertRuleSchema, newAlertRuleSchema, "condition", "enabled");

/** The request of a body of POST /alert-rules. */
export const toNewAlertRule = (
  input: Type.Static<typeof newAlertRuleSchema>,
): MessageInitShape<typeof CreateAlertRuleRequestSchema> => ({
  alertRule: { ...toAlertRule(input), condition: toCondition(input.condition) },
  disabled: input.enabled === false,
});

const patch = mergePatch(
  AlertRuleSchema,
  {
    name: named("Leaves the building"),
    scope_type: scopeType,
    scope_id: clearable(scopeId),
    condition,
    channel_target: channelTarget,
    enabled: Type.Boolean(),
    cooldown_seconds: cooldownSeconds,
  },
  "condition",
);

/** A patch of a rule. The condition is replaced as a whole. */
export const alertRulePatch: typeof patch = {
  schema: patch.schema,
  toUpdate(input) {
    const { record, updateMask } = patch.toUpdate(input);
    if (input.condition === undefined) return { record, updateMask };
    updateMask.paths.push("condition");
    return { record: { ...record, condition: toCondition(input.condition) }, updateMask };
  },
};
