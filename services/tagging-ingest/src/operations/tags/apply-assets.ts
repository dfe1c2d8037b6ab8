import type { ProjectedState } from "@asset-register/events";
import type { Actor } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import { freed } from "../../domain/tags/tag.ts";
import { tagDecommissioned } from "../../published.ts";
import type { KnownAsset } from "../../store/tags/assets.ts";

const SERVICE: Actor = { kind: "service", id: "tagging-ingest" };

/**
 * Projects assets, then frees the tags of those that are gone. In this order no tag stays bound: a later call that
 * commissions a tag sees that the asset is gone, and a tag of an earlier call is found here.
 */
export async function applyAssets(
  context: Context,
  states: readonly ProjectedState<KnownAsset>[],
): Promise<void> {
  await context.stores.assets.project(states);
  const gone = states.filter(({ fields }) => fields?.gone);
  for (const [workspaceId, own] of Map.groupBy(gone, (state) => state.workspaceId)) {
    const ids = own.map(({ id }) => id);
    await freeTags(context, workspaceId, ids);
  }
}

/** Frees all tags of some assets. A repeat finds none. */
async function freeTags(context: Context, workspaceId: string, assetIds: string[]): Promise<void> {
  const { mongo, stores, outbox } = context;
  if ((await stores.tags.getOfAssets(workspaceId, assetIds)).length === 0) return;
  const at = context.now();
  await mongo.transaction({}, async (session) => {
    for (const before of await stores.tags.getOfAssets(workspaceId, assetIds, session)) {
      const free = freed(before, at);
      await stores.tags.save(workspaceId, free, before.rev, session);
      await outbox.add(session, tagDecommissioned(free, before.assetId, at, { actor: SERVICE }));
    }
  });
}
