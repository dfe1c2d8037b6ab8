import type { AssetState, AssetStore } from "../store/assets.ts";
import type { freeTags } from "./free-tags.ts";

export type ApplyAssets = ReturnType<typeof applyAssets>;

/**
 * Projects assets, then takes the tags off those that are gone. The mark comes
 * first: who commissions a tag after it sees it, and who did before left a tag
 * that is found here.
 */
export function applyAssets(deps: { assets: AssetStore; freeTags: ReturnType<typeof freeTags> }) {
  return async (states: readonly AssetState[]): Promise<void> => {
    await deps.assets.project(states);
    const gone = new Map<string, string[]>();
    for (const state of states) {
      if (state.gone) gone.set(state.workspaceId, [...(gone.get(state.workspaceId) ?? []), state.id]);
    }
    for (const [workspaceId, ids] of gone) await deps.freeTags(workspaceId, ids);
  };
}
