import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";

/**
 * For each category itself and those above it, also deleted ones. One query reads a level of all of them.
 */
export async function categoriesAbove(
  { stores }: Context,
  workspaceId: string,
  categoryIds: readonly string[],
  session?: ClientSession,
): Promise<Map<string, Set<string>>> {
  const parents = new Map<string, string | undefined>();
  let level = [...new Set(categoryIds)];
  while (level.length > 0) {
    const records = await stores.organisation.getAll(workspaceId, level, session);
    for (const id of level) parents.set(id, undefined);
    for (const { id, parentId } of records) parents.set(id, parentId);
    level = [...new Set(records.flatMap(({ parentId }) => parentId ?? []))].filter((id) => !parents.has(id));
  }
  return new Map(categoryIds.map((id) => [id, pathOf(id, parents)]));
}

function pathOf(categoryId: string, parents: ReadonlyMap<string, string | undefined>): Set<string> {
  const path = new Set<string>();
  for (let id: string | undefined = categoryId; id !== undefined && !path.has(id); id = parents.get(id)) {
    path.add(id);
  }
  return path;
}
