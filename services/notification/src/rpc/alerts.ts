import {
  AcknowledgeAlertResponseSchema,
  AlertChannel,
  type AlertCondition,
  type AlertRuleSchema,
  AlertScope,
  AlertService,
  AlertStatus,
  type CreateAlertRuleRequest,
  CreateAlertRuleResponseSchema,
  ListAlertRulesResponseSchema,
  ListAlertsResponseSchema,
  ResolveAlertResponseSchema,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { command, implement } from "@asset-register/rpc";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import type { AlertStatus as Status } from "../domain/alert.ts";
import type { AlertRule, Condition, Scope } from "../domain/alert-rule.ts";
import { acknowledgeAlert, resolveAlert } from "../operations/change-alert.ts";
import { createAlertRule, type NewAlertRule } from "../operations/create-alert-rule.ts";
import { encodeAlert } from "../wire.ts";
import { decodePage, encodePage } from "./page.ts";

export function alertService(context: Context) {
  return implement(AlertService, {
    createAlertRule: command(
      decodeNewRule,
      (input, call) => createAlertRule(context, input, call),
      ({ rule, secret = "" }) =>
        create(CreateAlertRuleResponseSchema, { alertRule: encodeRule(rule), secret }),
    ),

    async listAlertRules(request, call) {
      const page = await context.rules.list(call.workspaceId, decodePage(request.page));
      return create(ListAlertRulesResponseSchema, {
        alertRules: page.items.map(encodeRule),
        page: encodePage(page),
      });
    },

    async listAlerts(request, call) {
      const only = { status: statuses[request.status], ruleId: request.ruleId || undefined };
      const page = await context.alerts.list(call.workspaceId, only, decodePage(request.page));
      return create(ListAlertsResponseSchema, {
        alerts: page.items.map(encodeAlert),
        page: encodePage(page),
      });
    },

    acknowledgeAlert: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      (at, call) => acknowledgeAlert(context, at, call),
      (alert) => create(AcknowledgeAlertResponseSchema, { alert: encodeAlert(alert) }),
    ),

    resolveAlert: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      (at, call) => resolveAlert(context, at, call),
      (alert) => create(ResolveAlertResponseSchema, { alert: encodeAlert(alert) }),
    ),
  });
}

const statuses: Partial<Record<AlertStatus, Status>> = {
  [AlertStatus.OPEN]: "open",
  [AlertStatus.ACKNOWLEDGED]: "acknowledged",
  [AlertStatus.RESOLVED]: "resolved",
};

const scopes: Partial<Record<AlertScope, Scope["type"]>> = {
  [AlertScope.ALL]: "all",
  [AlertScope.ZONE]: "zone",
  [AlertScope.LOCATION]: "location",
  [AlertScope.CATEGORY]: "category",
  [AlertScope.ASSET]: "asset",
};

const scopeTypes = {
  all: AlertScope.ALL,
  zone: AlertScope.ZONE,
  location: AlertScope.LOCATION,
  category: AlertScope.CATEGORY,
  asset: AlertScope.ASSET,
} as const satisfies Record<Scope["type"], AlertScope>;

const channels: Partial<Record<AlertChannel, NewAlertRule["channel"]>> = {
  [AlertChannel.INAPP]: "inapp",
  [AlertChannel.EMAIL]: "email",
  [AlertChannel.WEBHOOK]: "webhook",
};

const channelTypes = {
  inapp: AlertChannel.INAPP,
  webhook: AlertChannel.WEBHOOK,
} as const satisfies Record<AlertRule["channel"], AlertChannel>;

function decodeNewRule(request: CreateAlertRuleRequest): NewAlertRule {
  return {
    name: request.name,
    scopeType: scopes[request.scopeType],
    scopeId: request.scopeId,
    condition: decodeCondition(request.condition),
    channel: channels[request.channel],
    channelTarget: request.channelTarget,
    cooldownSeconds: request.cooldownSeconds,
  };
}

function decodeCondition(message: AlertCondition | undefined): Condition | undefined {
  const condition = message?.condition;
  switch (condition?.case) {
    case "seenInZone":
      return { type: "seen_in_zone", zoneId: condition.value.zoneId };
    case "leftZone":
      return { type: "left_zone", zoneId: condition.value.zoneId };
    case "unknownTag":
      return { type: "unknown_tag" };
    default:
      return undefined;
  }
}

function encodeRule(rule: AlertRule): MessageInitShape<typeof AlertRuleSchema> {
  const { scope, channelTarget = "" } = rule;
  return {
    id: rule.id,
    name: rule.name,
    scopeType: scopeTypes[scope.type],
    scopeId: scope.type === "all" ? "" : scope.id,
    condition: encodeCondition(rule.condition),
    channel: channelTypes[rule.channel],
    channelTarget,
    enabled: rule.enabled,
    cooldownSeconds: rule.cooldownSeconds,
    createdAt: timestampFromDate(rule.createdAt),
    rev: rule.rev,
  };
}

function encodeCondition(
  condition: Condition,
): NonNullable<MessageInitShape<typeof AlertRuleSchema>["condition"]> {
  switch (condition.type) {
    case "seen_in_zone":
      return { condition: { case: "seenInZone", value: { zoneId: condition.zoneId } } };
    case "left_zone":
      return { condition: { case: "leftZone", value: { zoneId: condition.zoneId } } };
    case "unknown_tag":
      return { condition: { case: "unknownTag", value: {} } };
  }
}
