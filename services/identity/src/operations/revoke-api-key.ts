import { conflict, notFound, requireRev } from "@asset-register/runtime";
import type { Caller, Identity } from "../context.ts";
import type { ApiKey } from "../domain/api-key.ts";
import { act } from "../domain/audit.ts";

/** Ends a key and all its texts at once. Ending it twice is no error. */
export async function revokeApiKey(
  { mongo, apiKeys, versions, audit, clock }: Identity,
  { id, ifRevIn }: { id: string; ifRevIn: readonly number[] },
  caller: Caller,
): Promise<ApiKey> {
  const { workspaceId } = caller;
  const key = await mongo.transaction(caller, async (session) => {
    const now = clock();
    const before = await apiKeys.find(workspaceId, id, session);
    if (before === undefined) throw notFound();
    requireRev(before.version, ifRevIn);
    if (before.revokedAt !== undefined) return before;
    const revoked = { ...before, previous: [], revokedAt: now, version: before.version + 1 };
    if (!(await apiKeys.replace(workspaceId, revoked, before.version, session))) {
      throw conflict("CONFLICT", "The key was changed at the same time");
    }
    await audit.add(workspaceId, act(caller, now, "api_key.revoked", id), session);
    return revoked;
  });
  await versions.raise(id, key.version);
  return key;
}
