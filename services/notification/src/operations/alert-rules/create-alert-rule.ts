import type { Call } from "@asset-register/rpc";
import { changesBetween, conflict, newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import { auditedRule, type RuleFields, requireConsistent } from "../../domain/alert-rules/rule-fields.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import { newSecret } from "../../domain/webhooks/signing.ts";
import { auditEntry } from "../../published.ts";
import { checkChannelTarget } from "./check-channel-target.ts";
import { requireReferences } from "./require-references.ts";
import type { ShownAlertRule } from "./shown-alert-rules.ts";

/** Of a workspace. Each sighting is judged by all of them. */
const MAX_ALERT_RULES = 100;

export type NewAlertRule = RuleFields;

export type CreatedAlertRule = ShownAlertRule & {
  /** Of a webhook rule. It is shown in this answer only. */
  secret?: string | undefined;
};

/** Creates a rule. The records that it refers to must exist. */
export async function createAlertRule(
  context: Context,
  input: NewAlertRule,
  call: Call,
): Promise<CreatedAlertRule> {
  const { mongo, stores, outbox, signingKeys, now } = context;
  const { workspaceId } = call;
  requireConsistent(input);
  await requireReferences(context, input, call);
  const channelTarget = await checkChannelTarget(context, input);
  const id = newId("rul");
  const createdAt = now();
  const alertRule: AlertRule = {
    ...{ ...input, id, workspaceId, channelTarget },
    ...{ createdAt, activeSince: createdAt, rev: 1, version: 1 },
  };
  const url = input.channel === "webhook" ? channelTarget : undefined;
  const secret = url && newSecret();
  const status = alertRule.enabled ? "active" : "disabled";
  return mongo.transaction(call, async (session) => {
    // Two that count at the same time would both find room: the common row makes one of them count again.
    await stores.workspaceLimits.touch(workspaceId, session);
    if ((await stores.alertRules.count(workspaceId, session)) >= MAX_ALERT_RULES) {
      throw conflict("ALERT_RULE_LIMIT_REACHED", `A workspace has at most ${MAX_ALERT_RULES} alert rules.`, [
        { field: "limit", message: String(MAX_ALERT_RULES) },
      ]);
    }
    await stores.alertRules.insert(workspaceId, alertRule, session);
    if (url && secret) {
      const endpoint: Endpoint = {
        ...{ id, workspaceId, kind: "rule", url, events: [], status, createdAt, rev: 1 },
        secret: signingKeys.seal(id, secret),
      };
      await stores.endpoints.insert(workspaceId, endpoint, session);
    }
    const changes = changesBetween({}, auditedRule(alertRule));
    await outbox.add(session, auditEntry(call, createdAt, "alert_rule.created", id, changes));
    return { alertRule, webhookStatus: url ? status : undefined, secret };
  });
}
