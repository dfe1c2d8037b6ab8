import {
  AlertService,
  type CreateAlertRuleResponse,
} from "@asset-register/proto/assetregister/notification/v1/alert_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeAlertFilter,
  decodeCreateAlertRule,
  decodeDeleteAlertRule,
  decodeUpdateAlertRule,
} from "../decode/alert.ts";
import { encodeAlert, encodeAlertRule } from "../encode/alert.ts";
import { createAlertRule } from "../operations/alert-rules/create-alert-rule.ts";
import { deleteAlertRule } from "../operations/alert-rules/delete-alert-rule.ts";
import { shownAlertRules } from "../operations/alert-rules/shown-alert-rules.ts";
import { updateAlertRule } from "../operations/alert-rules/update-alert-rule.ts";
import { acknowledgeAlert, resolveAlert } from "../operations/alerts/change-alert.ts";
import { isValidSecret } from "../operations/webhooks/is-valid-secret.ts";

export function alertService(context: Context): Implementation {
  const { stores } = context;
  return implement(AlertService, {
    createAlertRule: command(
      decodeCreateAlertRule,
      (input, call) => createAlertRule(context, input, call),
      ({ secret, ...shown }) => ({ alertRule: encodeAlertRule(shown), secret }),
      {
        isSecretValid: ({ alertRule, secret = "" }: CreateAlertRuleResponse, call) =>
          isValidSecret(context, alertRule?.id ?? "", secret, call),
      },
    ),

    updateAlertRule: command(
      decodeUpdateAlertRule,
      (input, call) => updateAlertRule(context, input, call),
      (shown) => ({ alertRule: encodeAlertRule(shown) }),
    ),

    deleteAlertRule: command(
      decodeDeleteAlertRule,
      (input, call) => deleteAlertRule(context, input, call),
      () => ({}),
    ),

    async getAlertRule({ id }, { workspaceId }) {
      const found = requireFound(await stores.alertRules.get(workspaceId, id), "alert rule");
      const [shown] = await shownAlertRules(stores, workspaceId, [found]);
      return { alertRule: shown && encodeAlertRule(shown) };
    },

    async listAlertRules(request, { workspaceId }) {
      const found = await stores.alertRules.list(workspaceId, pageRequest(request.page));
      const shown = await shownAlertRules(stores, workspaceId, found.items);
      return { alertRules: shown.map(encodeAlertRule), page: pageInfo(found) };
    },

    async getAlert({ id }, { workspaceId }) {
      return { alert: encodeAlert(requireFound(await stores.alerts.get(workspaceId, id), "alert")) };
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
