import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { type Alert, minuteOf } from "../../domain/alerts/alert.ts";
import { alertMessage } from "../../domain/webhooks/payload.ts";
import { deliveryOf } from "../webhooks/enqueue-messages.ts";
import { mailAlerts } from "./enqueue-mails.ts";

/** A rule reports so many alerts of a minute one by one. The others are in a digest. */
export const ONE_BY_ONE = 20;

/**
 * Reports raised alerts on the channel of their rule, in the transaction that raises them: to the webhook, by mail or by
 * a notice in the app. Alerts beyond the limit of a minute go to the digest of the minute.
 * @returns false when the rule was changed, disabled or deleted since the alerts were judged
 */
export async function notifyChannel(
  context: Context,
  rule: AlertRule,
  alerts: readonly Alert[],
  at: Date,
  session: ClientSession,
): Promise<boolean> {
  const { stores } = context;
  const { workspaceId, id: ruleId } = rule;
  const minute = minuteOf(at);
  const before = await stores.alertRules.countReported(rule, { minute, count: alerts.length }, session);
  if (before === undefined) return false;
  const split = Math.max(0, ONE_BY_ONE - before);
  const [single, many] = [alerts.slice(0, split), alerts.slice(split)];
  if (many.length > 0) await stores.digests.add(workspaceId, ruleId, minute, many, session);
  if (single.length === 0) return true;
  switch (rule.channel) {
    case "webhook": {
      const deliveries = single.map((alert) => deliveryOf(alertMessage(alert, at), ruleId));
      await stores.deliveries.addOnce(deliveries, session);
      return true;
    }
    case "email":
      await mailAlerts(context, rule, single, session);
      return true;
    case "inapp": {
      const notices = single.map(({ id: alertId, subject }) => ({
        ...{ id: newId("ntc"), workspaceId, kind: "alert" as const, at, alertId, ruleId, subject },
      }));
      await stores.notices.insertMany(workspaceId, notices, session);
      return true;
    }
  }
}
