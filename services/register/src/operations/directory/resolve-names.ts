import type { Context } from "../../context.ts";

/** A record and its name. An asset has a number too. */
export type NamedRecord = { id: string; name: string; number?: string | undefined };

/** The names of assets, statuses and organisation records, deleted ones too. Unknown ids are left out. */
export async function resolveNames(
  { stores }: Context,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamedRecord[]> {
  const byKind = Map.groupBy(new Set(ids), kindOf);
  const found = await Promise.all([
    stores.assetDirectory.names(workspaceId, byKind.get("asset") ?? []),
    stores.statuses.names(workspaceId, byKind.get("status") ?? []),
    stores.organisation.namesOf(workspaceId, byKind.get("organisation") ?? []),
  ]);
  return found.flat();
}

const kindOf = (id: string): "asset" | "status" | "organisation" =>
  id.startsWith("ast_") ? "asset" : id.startsWith("sta_") ? "status" : "organisation";
