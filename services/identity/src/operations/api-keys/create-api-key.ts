import { randomBytes } from "node:crypto";
import { changesBetween, newId, requireFound } from "@asset-register/runtime";
import type { Caller, Context } from "../../context.ts";
import { type ApiKey, type ApiKeyFields, apiKeyText } from "../../domain/api-key.ts";
import { sha256 } from "../../domain/token.ts";
import { assertApiAccess } from "../../domain/workspace.ts";
import { auditEntry } from "../audit-entry.ts";
import { requireRecent } from "../sessions/require-recent.ts";

/** `text` is the key itself. It is known only now. */
export type ApiKeyWithText = { key: ApiKey; text: string };

export async function createApiKey(
  context: Context,
  input: ApiKeyFields,
  call: Caller,
): Promise<ApiKeyWithText> {
  await requireRecent(context, call);
  const { mongo, stores, now } = context;
  const { workspaceId, actor } = call;
  const text = apiKeyText(randomBytes(32));
  const at = now();
  const key: ApiKey = {
    ...input,
    id: newId("key"),
    workspaceId,
    hash: sha256(text),
    previous: [],
    createdAt: at,
    createdBy: actor,
    rev: 1,
  };
  const { name, scopes, expiresAt, allowedAddresses } = key;
  const changes = changesBetween({}, { name, scopes, expiresAt, allowedAddresses });
  return mongo.transaction(call, async (session) => {
    assertApiAccess(requireFound(await stores.workspaces.get(workspaceId, session), "workspace"));
    await stores.apiKeys.insert(workspaceId, key, session);
    const entry = auditEntry(call, at, "api_key.created", key.id, changes);
    await stores.auditLog.append(workspaceId, [entry], session);
    return { key, text };
  });
}
