import { type FieldViolation, invalid } from "@asset-register/runtime";
import { originOf } from "../webhooks/origin-of.ts";
import { type Condition, conditionText, isAboutAssets } from "./condition.ts";

/** The scope that a rule watches. Every type but `all` has the id of a record. */
export type Scope = {
  scopeType: "all" | "zone" | "location" | "category" | "asset";
  scopeId?: string | undefined;
};

/** The fields that a user writes. */
export type RuleFields = Scope & {
  name: string;
  condition: Condition;
  channel: "inapp" | "email" | "webhook";
  /** The URL of a webhook rule. The addresses of an email rule, separated by commas. */
  channelTarget?: string | undefined;
  enabled: boolean;
  cooldownSeconds: number;
};

/**
 * The rules about several fields of an alert rule.
 * @throws AppError VALIDATION_FAILED
 */
export function requireConsistent({
  scopeType,
  scopeId,
  condition,
  channel,
  channelTarget,
}: RuleFields): void {
  const violations: FieldViolation[] = [];
  const refuse = (field: string, message: string) => violations.push({ field, message });
  if (scopeType === "all" && scopeId) refuse("scope_id", "must be absent for the scope all");
  if (scopeType !== "all" && !scopeId) refuse("scope_id", "is required for this scope");
  if (!isAboutAssets(condition) && (scopeType === "category" || scopeType === "asset")) {
    refuse("scope_type", "must be all, zone or location, because the condition is about no asset");
  }
  if (channel === "inapp" && channelTarget) refuse("channel_target", "must be absent for the channel inapp");
  if (channel !== "inapp" && !channelTarget) refuse("channel_target", "is required");
  if (violations.length > 0) throw invalid(violations);
}

/** Whether a change of a rule makes void what was judged before. */
export function isJudgedOtherwise(before: RuleFields, after: RuleFields): boolean {
  return (
    before.scopeType !== after.scopeType ||
    before.scopeId !== after.scopeId ||
    conditionText(before.condition) !== conditionText(after.condition)
  );
}

/** The fields of a rule in the audit log. */
export function auditedRule(rule: RuleFields) {
  const { scopeType, scopeId, condition, channel, channelTarget } = rule;
  return {
    name: rule.name,
    scope: scopeId ? `${scopeType} ${scopeId}` : scopeType,
    condition: conditionText(condition),
    channel,
    channelTarget: channel === "webhook" && channelTarget ? originOf(channelTarget) : channelTarget,
    cooldownSeconds: rule.cooldownSeconds,
    enabled: rule.enabled ? undefined : false,
  };
}
