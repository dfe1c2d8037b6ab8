import {
  AlertChannel,
  type AlertRuleSchema,
  type AlertSchema,
  AlertScope,
  AlertStatus,
  NoticeKind,
  type NoticeSchema,
  Weekday,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { encodeActor, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Alert } from "../domain/alert.ts";
import type { Condition } from "../domain/condition.ts";
import type { ShownAlertRule } from "../operations/alert-rules/shown-alert-rules.ts";
import type { ReadNotice } from "../operations/notices.ts";
import { webhookStatusNames } from "./webhook.ts";

export const alertStatusNames = enumNames(AlertStatus);
export const alertScopeNames = enumNames(AlertScope);
export const alertChannelNames = enumNames(AlertChannel);
export const weekdayNames = enumNames(Weekday);
const noticeKindNames = enumNames(NoticeKind);

export function encodeAlert(alert: Alert): MessageInitShape<typeof AlertSchema> {
  const { acknowledgedBy, resolvedBy } = alert;
  return {
    ...encodeInstants(alert),
    status: alertStatusNames.encode(alert.status),
    acknowledgedBy: acknowledgedBy && encodeActor(acknowledgedBy),
    resolvedBy: resolvedBy && encodeActor(resolvedBy),
  };
}

type RuleMessage = MessageInitShape<typeof AlertRuleSchema>;

export function encodeAlertRule({ alertRule: rule, webhookStatus }: ShownAlertRule): RuleMessage {
  return {
    ...encodeInstants(rule),
    webhookStatus: webhookStatus && webhookStatusNames.encode(webhookStatus),
    scopeType: alertScopeNames.encode(rule.scopeType),
    condition: encodeCondition(rule.condition),
    channel: alertChannelNames.encode(rule.channel),
  };
}

export function encodeNotice(notice: ReadNotice): MessageInitShape<typeof NoticeSchema> {
  return { ...encodeInstants(notice), kind: noticeKindNames.encode(notice.kind) };
}

function encodeCondition(condition: Condition): NonNullable<RuleMessage["condition"]> {
  switch (condition.type) {
    case "seen_in_zone":
      return { condition: { case: "seenInZone", value: { zoneId: condition.zoneId } } };
    case "left_zone":
      return { condition: { case: "leftZone", value: { zoneId: condition.zoneId } } };
    case "exit_portal_unauthorised":
      return { condition: { case: "exitPortalUnauthorised", value: { zoneId: condition.zoneId } } };
    case "unknown_tag":
      return { condition: { case: "unknownTag", value: {} } };
    case "after_hours": {
      const { openDays, openFrom, openTo } = condition;
      const value = { openDays: openDays.map((day) => weekdayNames.encode(day)), openFrom, openTo };
      return { condition: { case: "afterHours", value } };
    }
    case "status_mismatch":
      return { condition: { case: "statusMismatch", value: { statusIds: condition.statusIds } } };
    case "not_seen_for":
      return { condition: { case: "notSeenFor", value: { hours: condition.hours } } };
    case "reader_offline":
      return { condition: { case: "readerOffline", value: { minutes: condition.minutes } } };
  }
}
