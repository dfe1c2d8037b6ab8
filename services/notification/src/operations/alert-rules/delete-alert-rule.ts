import type { Call } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { auditedRule } from "../../domain/alert-rules/rule-fields.ts";
import { auditEntry } from "../../published.ts";
import { resolveOutdated } from "./resolve-outdated.ts";

export type DeleteAlertRule = { id: string; ifRevIn: readonly number[] };

/** Deletes a rule, resolves its open alerts and drops what waits for it. Its alerts stay readable. */
export async function deleteAlertRule(
  context: Context,
  { id, ifRevIn }: DeleteAlertRule,
  call: Call,
): Promise<void> {
  const { mongo, stores, outbox, now } = context;
  const { workspaceId } = call;
  const outdated = await mongo.transaction(call, async (session) => {
    const rule = requireFound(await stores.alertRules.get(workspaceId, id, session), "alert rule");
    requireRev(rule.rev, ifRevIn);
    const at = now();
    await stores.workspaceLimits.touch(workspaceId, session);
    await stores.alertRules.remove(workspaceId, id, session);
    // The worker ends the pending deliveries of an endpoint that is gone.
    await stores.endpoints.deleteRule(workspaceId, id, session);
    await stores.digests.removeOfRule(workspaceId, id, session);
    await stores.mails.failPending(workspaceId, id, "the rule is deleted", session);
    const row = { id, workspaceId, version: rule.version + 1, by: call.actor, at };
    await stores.outdatedRules.add(row, session);
    const changes = changesBetween(auditedRule(rule), {});
    await outbox.add(session, auditEntry(call, at, "alert_rule.deleted", id, changes));
    return row;
  });
  await stores.waitingSightings.removeOfRule(workspaceId, id);
  await stores.ruleSweeps.remove(workspaceId, id);
  await resolveOutdated(context, outdated);
}
