import {
  AlertRuleReceiverService,
  type RotateAlertRuleSecretResponse,
} from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeRotateSecret } from "../decode/webhook.ts";
import { encodeAlertRule } from "../encode/alert.ts";
import { encodeDelivery } from "../encode/webhook.ts";
import { isValidSecret } from "../operations/is-valid-secret.ts";
import { rotateAlertRuleSecret } from "../operations/rotate-alert-rule-secret.ts";

export function alertRuleReceiverService(context: Context): Implementation {
  const { stores } = context;
  return implement(AlertRuleReceiverService, {
    rotateAlertRuleSecret: command(
      decodeRotateSecret,
      (input, call) => rotateAlertRuleSecret(context, input, call),
      ({ alertRule, secret }) => ({ alertRule: encodeAlertRule(alertRule), secret }),
      {
        isSecretValid: ({ alertRule, secret }: RotateAlertRuleSecretResponse, call) =>
          isValidSecret(context, alertRule?.id ?? "", secret, call),
      },
    ),

    async listAlertRuleDeliveries({ id, page }, { workspaceId }) {
      const rule = requireFound(await stores.alertRules.get(workspaceId, id), "alert rule");
      const found = await stores.deliveries.list(workspaceId, rule.id, pageRequest(page));
      return { deliveries: found.items.map(encodeDelivery), page: pageInfo(found) };
    },
  });
}
