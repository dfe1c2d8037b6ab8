import type { Call } from "@asset-register/rpc";
import { changesBetween, conflict, newId } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import type { AlertRule } from "../domain/alert-rule.ts";
import type { Endpoint } from "../domain/endpoint.ts";
import { newSecret } from "../domain/signing.ts";
import { originOf } from "../domain/webhook-url.ts";
import { auditEntry } from "../published.ts";
import { checkReceiver } from "./check-receiver.ts";
import { requireReferences } from "./require-references.ts";

/** Of a workspace. Each live sighting is checked against all of them while the sightings of other workspaces wait. */
const MAX_ALERT_RULES = 100;

export type NewAlertRule = Pick<
  AlertRule,
  "name" | "scopeType" | "scopeId" | "condition" | "channel" | "channelTarget" | "cooldownSeconds"
>;

export type CreatedAlertRule = {
  alertRule: AlertRule;
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
  await requireReferences(context, input, call);
  const { scopeType, scopeId, channel, channelTarget = "" } = input;
  const url =
    channel === "webhook" ? await checkReceiver(context, channelTarget, "channel_target") : undefined;
  const id = newId("rul");
  const createdAt = now();
  const alertRule: AlertRule = {
    ...input,
    ...{ id, workspaceId, createdAt, enabled: true, rev: 1 },
    scopeId: scopeType === "all" ? undefined : scopeId,
    channelTarget: url,
  };
  const secret = url && newSecret();
  return mongo.transaction(call, async (session) => {
    // Two that count at the same time would both find room: the common row makes one of them count again.
    await stores.workspaceLimits.touch(workspaceId, session);
    if ((await stores.alertRules.count(workspaceId, session)) >= MAX_ALERT_RULES) {
      throw conflict("ALERT_RULE_LIMIT_REACHED", `A workspace has at most ${MAX_ALERT_RULES} alert rules.`);
    }
    await stores.alertRules.insert(workspaceId, alertRule, session);
    if (url && secret) {
      const endpoint: Endpoint = {
        ...{ id, workspaceId, kind: "rule", url, events: [], status: "active", createdAt, rev: 1 },
        secret: signingKeys.seal(id, secret),
      };
      await stores.endpoints.insert(workspaceId, endpoint, session);
    }
    const changes = changesBetween({}, audited(alertRule));
    await outbox.add(session, auditEntry(call, createdAt, "alert_rule.created", id, changes));
    return { alertRule, secret };
  });
}

function audited({
  name,
  scopeType,
  scopeId,
  condition,
  channel,
  channelTarget,
  cooldownSeconds,
}: AlertRule) {
  return {
    name,
    scope: scopeId ? `${scopeType} ${scopeId}` : scopeType,
    condition: condition.type === "unknown_tag" ? condition.type : `${condition.type} ${condition.zoneId}`,
    channel,
    channelTarget: channelTarget && originOf(channelTarget),
    cooldownSeconds,
  };
}
