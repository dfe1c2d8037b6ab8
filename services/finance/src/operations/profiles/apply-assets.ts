import type { ProjectedState } from "@asset-register/events";
import type { Context } from "../../context.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";
import { syncAssets } from "./sync-assets.ts";

/** Projects assets, and updates profiles and pending disposals to match their present state. */
export async function applyAssets(
  context: Context,
  states: readonly ProjectedState<KnownAsset>[],
): Promise<void> {
  await context.stores.assets.project(states);
  for (const [workspaceId, own] of Map.groupBy(states, (state) => state.workspaceId)) {
    const ids = own.map(({ id }) => id);
    await syncAssets(context, workspaceId, ids);
  }
}
