import type { ClientSession } from "@asset-register/mongo";
import type { Stores } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";

/** A rule, and whether the webhook of a webhook rule is active. */
export type ShownAlertRule = {
  alertRule: AlertRule;
  webhookStatus?: Endpoint["status"] | undefined;
};

/** Adds to rules the status of their webhooks, which their receivers can end. */
export async function shownAlertRules(
  { endpoints }: Pick<Stores, "endpoints">,
  workspaceId: string,
  rules: readonly AlertRule[],
  session?: ClientSession,
): Promise<ShownAlertRule[]> {
  const withWebhook = rules.filter(({ channel }) => channel === "webhook");
  const statuses = await endpoints.statusOfRules(
    workspaceId,
    withWebhook.map(({ id }) => id),
    session,
  );
  return rules.map((alertRule) => ({ alertRule, webhookStatus: statuses.get(alertRule.id) }));
}
