import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { statusIdsOf, zoneOf } from "../../domain/alert-rules/condition.ts";
import type { Names } from "../../domain/alert-rules/names.ts";
import type { Alert } from "../../domain/alerts/alert.ts";
import { alertMail, digestMail, type MailText } from "../../domain/alerts/alert-mail.ts";
import type { AlertMail } from "../../store/alerts/mails.ts";

/**
 * The text of a mail with the names as they are now. Without an answer of the register the mail has ids: an alert in
 * time is worth more than its names, and its link shows them. The stored text is used when the rule has changed since.
 */
export async function mailText(
  context: Context,
  rule: AlertRule | undefined,
  { workspaceId, alertIds = [], digest, subject, text, html }: AlertMail,
): Promise<MailText> {
  const found = await context.stores.alerts.getMany(workspaceId, alertIds);
  const alerts = alertIds.flatMap((id) => found.get(id) ?? []);
  const [first] = alerts;
  if (!rule || !first || first.ruleVersion !== rule.version) return { subject, text, html };
  const facts = { names: await namesFor(context, rule, alerts), publicUrl: context.publicUrl };
  return digest ? digestMail(rule, digest, alerts, facts) : alertMail(rule, first, facts);
}

/** The names of what a rule and its alerts are about. */
async function namesFor(
  { stores, clients, register }: Context,
  { workspaceId, condition }: AlertRule,
  alerts: readonly Alert[],
): Promise<Names> {
  const idsOf = (field: "assetId" | "zoneId" | "readerId"): string[] => [
    ...new Set(alerts.flatMap((alert) => alert[field] ?? [])),
  ];
  const [zones, readers] = await Promise.all([
    stores.zones.namesOf(workspaceId, [...idsOf("zoneId"), ...[zoneOf(condition) ?? []].flat()]),
    stores.readers.namesOf(workspaceId, idsOf("readerId")),
  ]);
  const names = new Map([...zones, ...readers]);
  const assetIds = idsOf("assetId");
  const statusIds = statusIdsOf(condition);
  await register.ask(
    async (options) => {
      if (assetIds.length > 0) {
        for (const [id, { label }] of await clients.getAssets(workspaceId, assetIds, options)) {
          if (label) names.set(id, label);
        }
      }
      if (statusIds.length > 0) {
        for (const [id, name] of await clients.getStatusNames(workspaceId, statusIds, options)) {
          names.set(id, name);
        }
      }
    },
    assetIds.length + statusIds.length > 0,
  );
  return names;
}
