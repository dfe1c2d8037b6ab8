import { requireFound, requireRev } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import type { ApiKey } from "../../domain/api-key.ts";
import { auditEntry } from "../audit-entry.ts";

export type RevokeApiKey = { id: string; ifRevIn: readonly number[] };

/** Ends a key and all its texts at once. Revoking it twice is not an error. */
export async function revokeApiKey(
  { mongo, stores, credentialVersions, now }: Context,
  { id, ifRevIn }: RevokeApiKey,
  call: Caller,
): Promise<ApiKey> {
  const { workspaceId } = call;
  const key = await mongo.transaction(call, async (session) => {
    const at = now();
    const before = requireFound(await stores.apiKeys.get(workspaceId, id, session), "API key");
    requireRev(before.rev, ifRevIn);
    if (before.revokedAt !== undefined) return before;
    const revoked = { ...before, previous: [], revokedAt: at, rev: before.rev + 1 };
    await stores.apiKeys.save(workspaceId, revoked, before.rev, session);
    await stores.auditLog.append(workspaceId, [auditEntry(call, at, "api_key.revoked", id)], session);
    return revoked;
  });
  await credentialVersions.raise(id, key.rev);
  return key;
}
