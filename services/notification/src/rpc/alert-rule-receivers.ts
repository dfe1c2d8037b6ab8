import {
  AlertRuleReceiverService,
  type RotateAlertRuleSecretResponse,
} from "@asset-register/proto/assetregister/notification/v1/alert_rule_receiver_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { isId, notFound, requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeRotateSecret } from "../decode/webhook.ts";
import { encodeAlertRule } from "../encode/alert.ts";
import { encodeDelivery, encodeMail } from "../encode/webhook.ts";
import { rotateAlertRuleSecret } from "../operations/alert-rules/rotate-alert-rule-secret.ts";
import { isValidSecret } from "../operations/webhooks/is-valid-secret.ts";

export function alertRuleReceiverService(context: Context): Implementation {
  const { stores } = context;
  return implement(AlertRuleReceiverService, {
    rotateAlertRuleSecret: command(
      decodeRotateSecret,
      (input, call) => rotateAlertRuleSecret(context, input, call),
      ({ secret, ...shown }) => ({ alertRule: encodeAlertRule(shown), secret }),
      {
        isSecretValid: ({ alertRule, secret }: RotateAlertRuleSecretResponse, call) =>
          isValidSecret(context, alertRule?.id ?? "", secret, call),
      },
    ),

    async listAlertRuleDeliveries({ id, page }, { workspaceId }) {
      // An id of a subscription would find the log of the subscription.
      if (!isId("rul", id)) throw notFound("alert rule");
      const [rule, mails, deliveries] = await Promise.all([
        stores.alertRules.get(workspaceId, id),
        stores.mails.list(workspaceId, id, pageRequest(page)),
        stores.deliveries.list(workspaceId, id, pageRequest(page)),
      ]);
      // A rule has one channel for life. A deleted one is known by its log.
      if (mails.total + deliveries.total === 0) requireFound(rule, "alert rule");
      return mails.total > 0
        ? { deliveries: mails.items.map(encodeMail), page: pageInfo(mails) }
        : { deliveries: deliveries.items.map(encodeDelivery), page: pageInfo(deliveries) };
    },
  });
}
