import {
  AlertChannel,
  type AlertRuleSchema,
  type AlertSchema,
  AlertScope,
  AlertStatus,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Alert } from "../domain/alert.ts";
import type { AlertRule, Condition } from "../domain/alert-rule.ts";

export const alertStatusNames = enumNames(AlertStatus);
export const alertScopeNames = enumNames(AlertScope);
export const alertChannelNames = enumNames(AlertChannel);

export function encodeAlert(alert: Alert): MessageInitShape<typeof AlertSchema> {
  return { ...encodeInstants(alert), status: alertStatusNames.encode(alert.status) };
}

type RuleMessage = MessageInitShape<typeof AlertRuleSchema>;

export function encodeAlertRule(rule: AlertRule): RuleMessage {
  return {
    ...encodeInstants(rule),
    scopeType: alertScopeNames.encode(rule.scopeType),
    condition: encodeCondition(rule.condition),
    channel: alertChannelNames.encode(rule.channel),
  };
}

function encodeCondition(condition: Condition): NonNullable<RuleMessage["condition"]> {
  switch (condition.type) {
    case "seen_in_zone":
      return { condition: { case: "seenInZone", value: { zoneId: condition.zoneId } } };
    case "left_zone":
      return { condition: { case: "leftZone", value: { zoneId: condition.zoneId } } };
    case "unknown_tag":
      return { condition: { case: "unknownTag", value: {} } };
  }
}
