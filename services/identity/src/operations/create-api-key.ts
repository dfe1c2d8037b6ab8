import { randomBytes } from "node:crypto";
import { changesBetween, invalid, newId, notFound } from "@asset-register/runtime";
import type { Caller, Identity } from "../context.ts";
import { type ApiKey, apiKeyText, checkNewApiKey, knownScopes, type NewApiKey } from "../domain/api-key.ts";
import { act } from "../domain/audit.ts";
import { sha256 } from "../domain/token.ts";
import { requireApiAccess } from "../domain/workspace.ts";

/** `text` is the key itself, known now and never again. */
export type CreatedApiKey = { key: ApiKey; text: string };

/** Makes a key for the caller's workspace. */
export async function createApiKey(
  { mongo, workspaces, apiKeys, audit, clock }: Identity,
  input: NewApiKey,
  caller: Caller,
): Promise<CreatedApiKey> {
  const now = clock();
  const violations = checkNewApiKey(input, now);
  if (violations.length > 0) throw invalid(violations);
  const { workspaceId, actor } = caller;
  const text = apiKeyText(randomBytes(32));
  const key: ApiKey = {
    id: newId("key"),
    workspaceId,
    name: input.name.trim(),
    hash: sha256(text),
    scopes: knownScopes(input.scopes),
    ...(input.expiresAt && { expiresAt: input.expiresAt }),
    allowedAddresses: input.allowedAddresses.map((address) => address.trim()),
    previous: [],
    createdAt: now,
    createdBy: actor,
    version: 1,
  };
  return mongo.transaction(caller, async (session) => {
    const workspace = await workspaces.find(workspaceId, session);
    if (workspace === undefined) throw notFound();
    requireApiAccess(workspace);
    await apiKeys.insert(workspaceId, key, session);
    await audit.add(workspaceId, act(caller, now, "api_key.created", key.id, granted(key)), session);
    return { key, text };
  });
}

const granted = ({ name, scopes, expiresAt, allowedAddresses }: ApiKey) =>
  changesBetween(
    {},
    {
      name,
      scopes: scopes.join(" "),
      expires_at: expiresAt?.toISOString(),
      allowed_addresses: allowedAddresses.length > 0 ? allowedAddresses.join(" ") : undefined,
    },
  );
