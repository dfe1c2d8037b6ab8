import type { Context } from "../../context.ts";
import type { Tag } from "../../domain/tags/tag.ts";

/** The keys of the tags that a text may mean, the first choice first, and the key of the text if there is no such tag. */
export type TagMeaning = { keys: readonly string[]; unknown: string | undefined };

export type ResolveTags = { workspaceId: string; items: readonly TagMeaning[] };

export type ResolvedTag = { tag?: Tag | undefined; canonical: string | undefined };

/** The tag that each text means: the first bound one, else the first one. */
export async function resolveTags(
  { stores }: Context,
  { workspaceId, items }: ResolveTags,
): Promise<ResolvedTag[]> {
  const keys = new Set(items.flatMap((item) => item.keys));
  const tags = await stores.tags.getByKeys(workspaceId, [...keys]);
  return items.map(({ keys, unknown }) => {
    const found = keys.flatMap((key) => tags.get(key) ?? []);
    const tag = found.find(({ assetId }) => assetId !== undefined) ?? found[0];
    return { tag, canonical: tag?.key ?? unknown };
  });
}
