import type {
  CreateAlertRuleRequest,
  DeleteAlertRuleRequest,
  ListAlertsRequest,
  UpdateAlertRuleRequest,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { z } from "zod";
import { DEFAULT_COOLDOWN_SECONDS } from "../domain/alert-rules/alert-rule.ts";
import type { AlertFilter } from "../domain/alerts/alert.ts";
import { alertChannelNames, alertScopeNames, alertStatusNames } from "../encode/alert.ts";
import type { NewAlertRule } from "../operations/alert-rules/create-alert-rule.ts";
import type { DeleteAlertRule } from "../operations/alert-rules/delete-alert-rule.ts";
import type { UpdateAlertRule } from "../operations/alert-rules/update-alert-rule.ts";
import { condition, conditionInput } from "./condition.ts";

const newRule = z.object({
  // It becomes the subject of mails.
  name: field.text(limits.name).refine((name) => !/[\r\n]/.test(name), "must be one line"),
  scopeType: field.enum(alertScopeNames),
  scopeId: field.optionalId(),
  condition,
  channel: field.enum(alertChannelNames),
  channelTarget: z.string().optional(),
  cooldownSeconds: field.integer({ max: limits.cooldownSeconds }).default(DEFAULT_COOLDOWN_SECONDS),
});

const rulePatch = newRule
  .omit({ channel: true })
  .extend({ channelTarget: z.string("is required"), enabled: z.boolean() });

export function decodeCreateAlertRule({ alertRule, disabled }: CreateAlertRuleRequest): NewAlertRule {
  const input = { ...alertRule, condition: conditionInput(alertRule?.condition) };
  return { ...parse(newRule, input), enabled: !disabled };
}

export function decodeUpdateAlertRule({
  alertRule,
  updateMask,
  ifRevIn,
}: UpdateAlertRuleRequest): UpdateAlertRule {
  const { id } = parse(oneRule, { id: alertRule?.id });
  const input = alertRule && { ...alertRule, condition: conditionInput(alertRule.condition) };
  return { id, ifRevIn, change: parsePatch(rulePatch, input, updateMask) };
}

const oneRule = z.object({ id: field.id() });

export function decodeDeleteAlertRule({ id, ifRevIn }: DeleteAlertRuleRequest): DeleteAlertRule {
  return { ...parse(oneRule, { id }), ifRevIn };
}

const filter = z.object({
  ruleId: z.string().optional(),
  assetId: z.string().optional(),
  from: field.optionalInstant(),
  to: field.optionalInstant(),
});

export function decodeAlertFilter({ status, ...request }: ListAlertsRequest): AlertFilter {
  return { status: alertStatusNames.decode(status), ...parse(filter, request) };
}
