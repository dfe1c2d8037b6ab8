import type { Context } from "../../context.ts";
import type { Tag } from "../../domain/tag.ts";

/** The tags that some items mean, each by its possible keys: the first bound one, else the first one. */
export async function resolveTags(
  { stores }: Pick<Context, "stores">,
  workspaceId: string,
  items: readonly (readonly string[])[],
): Promise<(Tag | undefined)[]> {
  const tags = await stores.tags.getByKeys(workspaceId, [...new Set(items.flat())]);
  return items.map((keys) => {
    const found = keys.flatMap((key) => tags.get(key) ?? []);
    return found.find(({ assetId }) => assetId !== undefined) ?? found[0];
  });
}
