import type { Context } from "../../context.ts";

/** A user or an API key, and its name. */
export type NamedRecord = { id: string; name: string };

/**
 * The names of users and API keys, also of disabled, invited and revoked ones. Unknown ids are left out. Any user of the
 * workspace may see them, so there is nothing else of an account in them.
 */
export async function resolveNames(
  { stores }: Context,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamedRecord[]> {
  const byKind = Map.groupBy(new Set(ids), (id) => (id.startsWith("key_") ? "key" : "user"));
  const found = await Promise.all([
    stores.users.names(workspaceId, byKind.get("user") ?? []),
    stores.apiKeys.names(workspaceId, byKind.get("key") ?? []),
  ]);
  return found.flat();
}
