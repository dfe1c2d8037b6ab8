import {
  AlertChannel,
  AlertRuleSchema,
  AlertScope,
  type CreateAlertRuleRequestSchema,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import type { MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { mergePatch } from "../http/merge-patch.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, idOfAny, instant, like, named, nullable, rev } from "../http/schemas.ts";
import { defaulted, fixed, optional, required } from "../http/writable.ts";
import { condition, shownCondition } from "./alert-condition.ts";

export const alertRule = resource(AlertRuleSchema, "AlertRule", {
  id: id("rul"),
  name: required(named("Leaves the building")),
  scope_type: required(enumOf(AlertScope)),
  scope_id: optional(Type.String({ minLength: 1, maxLength: limits.id, examples: [exampleId("cat")] }), {
    shown: nullable(idOfAny("cat", "zon", "loc", "ast")),
  }),
  condition: required(condition, { shown: shownCondition }),
  channel: fixed(required(enumOf(AlertChannel))),
  channel_target: defaulted(
    Type.String({
      minLength: 1,
      maxLength: limits.channelTarget,
      description: "The URL of a webhook, or up to 10 email addresses, separated by commas",
      examples: ["https://example.com/hooks/alerts"],
    }),
    { shown: nullable(like("https://example.com/hooks/alerts")) },
  ),
  enabled: defaulted(Type.Boolean({ default: true })),
  webhook_status: nullable(
    Type.String({
      description:
        "Of a webhook rule: active or disabled. A receiver that answers 410 or fails for five days disables it; PATCH with enabled: true enables it again",
      examples: ["active"],
    }),
  ),
  cooldown_seconds: defaulted(Type.Integer({ minimum: 0, maximum: limits.cooldownSeconds })),
  rev,
  created_at: nullable(instant()),
});

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

export const newAlertRuleSchema = newBody(alertRule, {
  title: "NewAlertRule",
  examples: [
    {
      name: "Leaves the building",
      scope_type: "all",
      condition: { type: "left_zone", zone_id: exampleId("zon") },
      channel: "inapp",
    },
  ],
});
const toAlertRule = requestMessage(AlertRuleSchema, newAlertRuleSchema, "enabled");

/** The request of a body of POST /alert-rules. */
export const toNewAlertRule = (
  input: Type.Static<typeof newAlertRuleSchema>,
): MessageInitShape<typeof CreateAlertRuleRequestSchema> => ({
  alertRule: toAlertRule(input),
  disabled: input.enabled === false,
});

/** The condition is replaced as a whole. */
export const alertRulePatch = mergePatch(alertRule);
