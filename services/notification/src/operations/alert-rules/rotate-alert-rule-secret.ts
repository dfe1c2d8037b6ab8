import type { Call } from "@asset-register/rpc";
import { changesBetween, conflict, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { DEFAULT_OVERLAP_SECONDS, rotateSecret } from "../../domain/webhooks/endpoint.ts";
import { newSecret } from "../../domain/webhooks/signing.ts";
import { auditEntry } from "../../published.ts";
import type { RotateSecret } from "../webhooks/rotate-webhook-secret.ts";
import type { ShownAlertRule } from "./shown-alert-rules.ts";

/** Makes a new secret for the webhook of a rule. The one before signs too until the overlap ends. */
export function rotateAlertRuleSecret(
  { mongo, stores, outbox, signingKeys, now }: Context,
  { id, overlapSeconds = DEFAULT_OVERLAP_SECONDS, ifRevIn }: RotateSecret,
  call: Call,
): Promise<ShownAlertRule & { secret: string }> {
  const { workspaceId } = call;
  const at = now();
  const secret = newSecret();
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.alertRules.get(workspaceId, id, session), "alert rule");
    requireRev(before.rev, ifRevIn);
    const endpoint = await stores.endpoints.getOfRule(workspaceId, id, session);
    if (endpoint === undefined || before.channel !== "webhook") {
      throw conflict("CONFLICT", "Only alert rules with the channel webhook have a secret.", [
        { field: "channel", message: before.channel },
      ]);
    }
    const rotated = rotateSecret(endpoint, signingKeys.seal(id, secret), at, overlapSeconds);
    const alertRule = { ...before, rev: before.rev + 1 };
    await stores.endpoints.save(workspaceId, rotated, endpoint.rev, session);
    await stores.alertRules.save(workspaceId, alertRule, before.rev, session);
    const changes = changesBetween({}, { overlapSeconds });
    await outbox.add(session, auditEntry(call, at, "alert_rule.secret_rotated", id, changes));
    return { alertRule, webhookStatus: rotated.status, secret };
  });
}
