import { randomBytes } from "node:crypto";
import { changesBetween, requireFound, requireRev } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import { apiKeyText, DEFAULT_OVERLAP_SECONDS, rotate } from "../../domain/api-key.ts";
import { sha256 } from "../../domain/token.ts";
import { assertApiAccess } from "../../domain/workspace.ts";
import { auditEntry } from "../audit-entry.ts";
import { requireRecent } from "../sessions/require-recent.ts";
import type { ApiKeyWithText } from "./create-api-key.ts";

export type RotateApiKey = {
  id: string;
  overlapSeconds?: number | undefined;
  ifRevIn: readonly number[];
};

/** Gives a key a new text. The present text is accepted until the overlap ends. */
export async function rotateApiKey(
  context: Context,
  { id, overlapSeconds = DEFAULT_OVERLAP_SECONDS, ifRevIn }: RotateApiKey,
  call: Caller,
): Promise<ApiKeyWithText> {
  await requireRecent(context, call);
  const { mongo, stores, credentialVersions, now } = context;
  const { workspaceId } = call;
  const text = apiKeyText(randomBytes(32));
  const rotated = await mongo.transaction(call, async (session) => {
    const at = now();
    const workspace = requireFound(await stores.workspaces.get(workspaceId, session), "workspace");
    const before = requireFound(await stores.apiKeys.get(workspaceId, id, session), "API key");
    requireRev(before.rev, ifRevIn);
    assertApiAccess(workspace);
    const key = rotate(before, sha256(text), overlapSeconds, at);
    await stores.apiKeys.save(workspaceId, key, before.rev, session);
    const entry = auditEntry(call, at, "api_key.rotated", id, changesBetween({}, { overlapSeconds }));
    await stores.auditLog.append(workspaceId, [entry], session);
    return { key, text };
  });
  await credentialVersions.raise(id, rotated.key.rev);
  return rotated;
}
