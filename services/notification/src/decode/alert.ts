import type {
  AlertCondition,
  CreateAlertRuleRequest,
  ListAlertsRequest,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { AlertFilter } from "../domain/alert.ts";
import { type Condition, DEFAULT_COOLDOWN_SECONDS } from "../domain/alert-rule.ts";
import { alertChannelNames, alertScopeNames, alertStatusNames } from "../encode/alert.ts";
import type { NewAlertRule } from "../operations/create-alert-rule.ts";

const condition = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.enum(["seen_in_zone", "left_zone"]), zoneId: field.id() }),
    z.object({ type: z.literal("unknown_tag") }),
  ],
  "must be seen_in_zone, left_zone or unknown_tag",
);

const newRule = z
  .object({
    name: field.text(limits.name),
    scopeType: field.enum(alertScopeNames),
    scopeId: field.optionalId(),
    condition,
    channel: field.enum(alertChannelNames).transform((channel, context) => {
      if (channel !== "email") return channel;
      context.addIssue({ code: "custom", message: "email is not set up here; use inapp or webhook" });
      return z.NEVER;
    }),
    channelTarget: z.string().optional(),
    cooldownSeconds: field.integer({ max: limits.cooldownSeconds }).default(DEFAULT_COOLDOWN_SECONDS),
  })
  .refine(({ scopeType, scopeId }) => scopeType === "all" || scopeId, {
    path: ["scopeId"],
    message: "is required for this scope",
  })
  .refine(({ channel, channelTarget }) => channel !== "webhook" || channelTarget, {
    path: ["channelTarget"],
    message: "is required",
  });

export function decodeCreateAlertRule({ alertRule }: CreateAlertRuleRequest): NewAlertRule {
  return parse(newRule, { ...alertRule, condition: decodeCondition(alertRule?.condition) });
}

/** Undefined for a condition that only a newer release knows. */
function decodeCondition(message: AlertCondition | undefined): Condition | undefined {
  const { case: type, value } = message?.condition ?? { case: undefined };
  switch (type) {
    case "seenInZone":
      return { type: "seen_in_zone", zoneId: value.zoneId };
    case "leftZone":
      return { type: "left_zone", zoneId: value.zoneId };
    case "unknownTag":
      return { type: "unknown_tag" };
    default:
      return undefined;
  }
}

export function decodeAlertFilter({ status, ruleId }: ListAlertsRequest): AlertFilter {
  return { status: alertStatusNames.decode(status), ruleId };
}
