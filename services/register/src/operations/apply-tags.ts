import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../context.ts";
import { assetTokens } from "../domain/asset.ts";
import { assetsOf, type TagChange, tagHistory } from "../domain/asset-tags.ts";

/** Projects tags, in any order and any number of times, and brings the tags of their assets up to date. */
export async function applyTags(context: Context, changes: readonly TagChange[]): Promise<void> {
  const byWorkspace = Map.groupBy(changes, ({ workspaceId }) => workspaceId);
  for (const [workspaceId, ofOne] of byWorkspace) {
    await context.mongo.transaction({}, (session) => apply(context, workspaceId, ofOne, session));
  }
}

/**
 * Tags and assets change in one transaction, so an interruption leaves no asset with an old tag. Two tags of one asset
 * that arrive at once both write the asset: one of the transactions runs again and reads both.
 */
async function apply(
  { stores }: Context,
  workspaceId: string,
  changes: readonly TagChange[],
  session: ClientSession,
): Promise<void> {
  const tagIds = [...new Set(changes.map(({ tagId }) => tagId))];
  const before = await stores.assetTags.getMany(workspaceId, tagIds, session);
  await stores.assetTags.project(changes, session);
  const touched = new Set([
    ...[...before.values()].flatMap(({ assetId }) => assetId ?? []),
    ...changes.flatMap(assetsOf),
  ]);
  const assetIds = [...touched];
  const rows = await stores.assetTags.ofAssets(workspaceId, assetIds, session);
  const assets = await stores.assets.getAll(workspaceId, assetIds, session);
  const tagsOf = Map.groupBy(rows, ({ assetId }) => assetId);
  await stores.observedAssets.saveTags(
    assets.map((asset) => {
      const tags = (tagsOf.get(asset.id) ?? []).map(({ id, type, epc, code }) => ({ id, type, epc, code }));
      return { id: asset.id, workspaceId, tags, tokens: assetTokens({ ...asset, tags }) };
    }),
    session,
  );
  await stores.history.appendOnce(workspaceId, changes.flatMap(tagHistory), session);
}
