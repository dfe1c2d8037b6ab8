import type { ProjectedState } from "@asset-register/events";
import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import { assetTokens } from "../../domain/assets/asset.ts";
import { assetsOf, type ProjectedTag, type TagAct, tagHistory } from "../../domain/assets/asset-tags.ts";

type TagState = ProjectedState<ProjectedTag>;

/** Projects tags, in any order and any number of times, and brings the tags of their assets up to date. */
export async function applyTags(
  context: Context,
  states: readonly TagState[],
  acts: readonly TagAct[],
): Promise<void> {
  const byWorkspace = Map.groupBy(states, ({ workspaceId }) => workspaceId);
  for (const [workspaceId, ofOne] of byWorkspace) {
    const own = acts.filter((act) => act.workspaceId === workspaceId);
    await context.mongo.transaction({}, (session) => apply(context, workspaceId, ofOne, own, session));
  }
}

/**
 * Tags and assets change in one transaction, so an interruption leaves no asset with an old tag. Two tags of one asset
 * that arrive at once both write the asset: one of the transactions runs again and reads both.
 */
async function apply(
  { stores }: Context,
  workspaceId: string,
  states: readonly TagState[],
  acts: readonly TagAct[],
  session: ClientSession,
): Promise<void> {
  const tagIds = [...new Set(states.map(({ id }) => id))];
  const before = await stores.assetTags.getMany(workspaceId, tagIds, session);
  await stores.assetTags.project(states, session);
  const after = states.flatMap(({ fields }) => fields ?? []);
  const assetIds = assetsOf([...before.values(), ...after], acts);
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
  await stores.history.appendOnce(workspaceId, acts.map(tagHistory), session);
}
