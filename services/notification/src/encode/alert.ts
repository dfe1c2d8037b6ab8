import {
  AlertChannel,
  type AlertRuleSchema,
  type AlertSchema,
  AlertScope,
  AlertStatus,
  NoticeKind,
  type NoticeSchema,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { encodeActor, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Alert } from "../domain/alerts/alert.ts";
import type { ShownAlertRule } from "../operations/alert-rules/shown-alert-rules.ts";
import type { ReadNotice } from "../operations/alerts/notices.ts";
import { encodeCondition } from "./condition.ts";
import { webhookStatusNames } from "./webhook.ts";

export const alertStatusNames = enumNames(AlertStatus);
export const alertScopeNames = enumNames(AlertScope);
export const alertChannelNames = enumNames(AlertChannel);
const noticeKindNames = enumNames(NoticeKind);

export function encodeAlert(alert: Alert): MessageInitShape<typeof AlertSchema> {
  const { acknowledgedBy, resolvedBy, clone } = alert;
  return {
    ...encodeInstants(alert),
    clone: clone && { ...clone, reads: clone.reads.map(encodeInstants) },
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
