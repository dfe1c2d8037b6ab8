import type { Call } from "@asset-register/rpc";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { DEFAULT_OVERLAP_SECONDS, rotateSecret } from "../../domain/webhooks/endpoint.ts";
import { newSecret } from "../../domain/webhooks/signing.ts";
import { auditEntry } from "../../published.ts";
import type { CreatedWebhook } from "./create-webhook.ts";

export type RotateSecret = { id: string; overlapSeconds?: number | undefined; ifRevIn: readonly number[] };

/** Makes a new secret. The one before signs too until the overlap ends. */
export function rotateWebhookSecret(
  { mongo, stores, outbox, signingKeys, now }: Context,
  { id, overlapSeconds = DEFAULT_OVERLAP_SECONDS, ifRevIn }: RotateSecret,
  call: Call,
): Promise<CreatedWebhook> {
  const { workspaceId } = call;
  const at = now();
  const secret = newSecret();
  return mongo.transaction(call, async (session) => {
    const found = await stores.endpoints.getSubscription(workspaceId, id, session);
    const before = requireFound(found, "webhook");
    requireRev(before.rev, ifRevIn);
    const webhook = rotateSecret(before, signingKeys.seal(id, secret), at, overlapSeconds);
    await stores.endpoints.save(workspaceId, webhook, before.rev, session);
    const changes = changesBetween({}, { overlapSeconds });
    await outbox.add(session, auditEntry(call, at, "webhook.secret_rotated", id, changes));
    return { webhook, secret };
  });
}
