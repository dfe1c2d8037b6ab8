import type { ClientSession } from "@asset-register/mongo";
import type { Call, Patch } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev, withDefined } from "@asset-register/runtime";
import type { Context, Stores } from "../../context.ts";
import type { AlertRule } from "../../domain/alert-rules/alert-rule.ts";
import {
  auditedRule,
  isJudgedOtherwise,
  type RuleFields,
  requireConsistent,
} from "../../domain/alert-rules/rule-fields.ts";
import { auditEntry } from "../../published.ts";
import type { OutdatedRule } from "../../store/alert-rules/outdated-rules.ts";
import { checkChannelTarget } from "./check-channel-target.ts";
import { requireReferences } from "./require-references.ts";
import { resolveOutdated } from "./resolve-outdated.ts";
import { type ShownAlertRule, shownAlertRules } from "./shown-alert-rules.ts";

export type UpdateAlertRule = {
  id: string;
  ifRevIn: readonly number[];
  change: Patch<Omit<RuleFields, "channel">>;
};

/** Changes a rule. Another scope or condition resolves its open alerts. */
export async function updateAlertRule(
  context: Context,
  { id, ifRevIn, change }: UpdateAlertRule,
  call: Call,
): Promise<ShownAlertRule> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  const checked = await check(context, { id, ifRevIn, change }, call);
  const at = now();
  let outdated: OutdatedRule | undefined;
  const shown = await mongo.transaction(call, async (session): Promise<ShownAlertRule> => {
    // The transaction may run again.
    outdated = undefined;
    const before = requireFound(await stores.alertRules.get(workspaceId, id, session), "alert rule");
    requireRev(before.rev, ifRevIn);
    const after = changed(before, checked, at);
    const asksForWebhook = checked.enabled === true || checked.channelTarget !== undefined;
    if (after.enabled && asksForWebhook) await enableEndpoint(context, { rule: after, at }, call, session);
    if (after !== before) await saveChange(context, { before, after, at }, call, session);
    if (isJudgedOtherwise(before, after)) {
      outdated = { id, workspaceId, version: after.version, by: call.actor, at };
      await stores.outdatedRules.add(outdated, session);
    }
    const [saved] = await shownAlertRules(stores, workspaceId, [after], session);
    return saved ?? { alertRule: after };
  });
  if (!shown.alertRule.enabled) await stores.waitingSightings.removeOfRule(workspaceId, id);
  if (outdated) await resolveOutdated(context, outdated);
  return shown;
}

/** Checks what other services know, before the transaction. Returns the change as it will be stored. */
async function check(
  context: Context,
  { id, ifRevIn, change }: UpdateAlertRule,
  call: Call,
): Promise<UpdateAlertRule["change"]> {
  const rule = requireFound(await context.stores.alertRules.get(call.workspaceId, id), "alert rule");
  requireRev(rule.rev, ifRevIn);
  const after = changed(rule, change, context.now());
  if (isJudgedOtherwise(rule, after)) await requireReferences(context, after, call);
  if (change.channelTarget === undefined) return change;
  return { ...change, channelTarget: await checkChannelTarget(context, after) };
}

/** The rule after a change; the same rule when nothing changes. */
function changed(before: AlertRule, change: UpdateAlertRule["change"], at: Date): AlertRule {
  const after: AlertRule = { ...withDefined(before, change), scopeId: scopeIdAfter(before, change) };
  if (changesBetween(auditedRule(before), auditedRule(after)).length === 0 && sameTarget(before, after)) {
    return before;
  }
  const judgedOtherwise = isJudgedOtherwise(before, after);
  // A rule from before a check was added can still be renamed and disabled.
  if (judgedOtherwise || !sameTarget(before, after)) requireConsistent(after);
  const otherwise = judgedOtherwise || before.enabled !== after.enabled;
  const activeSince = otherwise ? at : before.activeSince;
  return { ...after, activeSince, rev: before.rev + 1, version: before.version + (otherwise ? 1 : 0) };
}

/** The scope `all` has no id. So a change to it needs to clear none. */
function scopeIdAfter(before: AlertRule, change: UpdateAlertRule["change"]): string | undefined {
  if ("scopeId" in change) return change.scopeId;
  return change.scopeType === "all" ? undefined : before.scopeId;
}

const sameTarget = (a: RuleFields, b: RuleFields): boolean => a.channelTarget === b.channelTarget;

async function saveChange(
  { stores, outbox }: Context,
  { before, after, at }: { before: AlertRule; after: AlertRule; at: Date },
  call: Call,
  session: ClientSession,
): Promise<void> {
  const { workspaceId, id, channelTarget: url } = after;
  await stores.workspaceLimits.touch(workspaceId, session);
  await stores.alertRules.save(workspaceId, after, before.rev, session);
  if (url !== undefined) await changeEndpoint(stores, before, { ...after, channelTarget: url }, session);
  if (!after.enabled) {
    await stores.digests.removeOfRule(workspaceId, id, session);
    await stores.mails.failPending(workspaceId, id, "the rule is disabled", session);
  }
  const changes = changesBetween(auditedRule(before), auditedRule(after));
  await outbox.add(session, auditEntry(call, at, "alert_rule.updated", id, changes));
}

/** Enables the webhook of an enabled rule again, after its receiver answered 410 or failed for days. */
async function enableEndpoint(
  { stores, outbox }: Context,
  { rule: { workspaceId, id }, at }: { rule: AlertRule; at: Date },
  call: Call,
  session: ClientSession,
): Promise<void> {
  const endpoint = await stores.endpoints.getOfRule(workspaceId, id, session);
  if (endpoint?.status !== "disabled") return;
  const enabled = { ...endpoint, status: "active" as const, rev: endpoint.rev + 1 };
  await stores.endpoints.save(workspaceId, enabled, endpoint.rev, session);
  await stores.endpoints.clearFailures(workspaceId, id, session);
  const changes = changesBetween({ webhookStatus: endpoint.status }, { webhookStatus: enabled.status });
  await outbox.add(session, auditEntry(call, at, "alert_rule.updated", id, changes));
}

/** The webhook of a rule has its URL and is active while the rule is enabled. A change clears its failures. */
async function changeEndpoint(
  { endpoints }: Stores,
  before: AlertRule,
  { workspaceId, id, channelTarget: url, enabled }: AlertRule & { channelTarget: string },
  session: ClientSession,
): Promise<void> {
  if (before.enabled === enabled && before.channelTarget === url) return;
  const endpoint = await endpoints.getOfRule(workspaceId, id, session);
  if (!endpoint) return;
  const status = enabled ? "active" : "disabled";
  await endpoints.save(
    workspaceId,
    { ...endpoint, url, status, rev: endpoint.rev + 1 },
    endpoint.rev,
    session,
  );
  await endpoints.clearFailures(workspaceId, id, session);
}
