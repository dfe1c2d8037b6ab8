import type { Context } from "../context.ts";
import type { AssetState } from "../store/assets.ts";
import { syncAssets } from "./sync-assets.ts";

/** Projects assets, and makes true what follows from their present state. */
export async function applyAssets(context: Context, states: readonly AssetState[]): Promise<void> {
  await context.stores.assets.project(states);
  for (const [workspaceId, own] of Map.groupBy(states, (state) => state.workspaceId)) {
    const ids = own.map(({ asset }) => asset.id);
    await syncAssets(context, workspaceId, ids);
  }
}
