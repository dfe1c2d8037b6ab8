import { AlertService } from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeAlertFilter, decodeCreateAlertRule } from "../decode/alert.ts";
import { encodeAlert, encodeAlertRule } from "../encode/alert.ts";
import { acknowledgeAlert, resolveAlert } from "../operations/change-alert.ts";
import { createAlertRule } from "../operations/create-alert-rule.ts";

export function alertService(context: Context): Implementation {
  const { stores } = context;
  return implement(AlertService, {
    createAlertRule: command(
      decodeCreateAlertRule,
      (input, call) => createAlertRule(context, input, call),
      ({ alertRule, secret }) => ({ alertRule: encodeAlertRule(alertRule), secret }),
    ),

    async listAlertRules(request, { workspaceId }) {
      const found = await stores.alertRules.list(workspaceId, pageRequest(request.page));
      return { alertRules: found.items.map(encodeAlertRule), page: pageInfo(found) };
    },

    async listAlerts(request, { workspaceId }) {
      const page = pageRequest(request.page);
      const found = await stores.alerts.list(workspaceId, decodeAlertFilter(request), page);
      return { alerts: found.items.map(encodeAlert), page: pageInfo(found) };
    },

    acknowledgeAlert: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      (input, call) => acknowledgeAlert(context, input, call),
      (alert) => ({ alert: encodeAlert(alert) }),
    ),

    resolveAlert: command(
      ({ id, ifRevIn }) => ({ id, ifRevIn }),
      (input, call) => resolveAlert(context, input, call),
      (alert) => ({ alert: encodeAlert(alert) }),
    ),
  });
}
