import type { Context } from "../../context.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";
import { syncAssets } from "./sync-assets.ts";

/**
 * Makes the profiles of book `book` that assets lack and that their values and those of their categories allow by now. A
 * run calls it while it computes, since the defaults of a category may have been set after the asset. At most 500.
 * Returns the assets without a profile whose values make no valid one.
 */
export function makeMissingProfiles(
  context: Context,
  { workspaceId, assets }: { workspaceId: string; assets: readonly KnownAsset[] },
): Promise<Set<string>> {
  const ids = assets.map(({ id }) => id);
  return syncAssets(context, workspaceId, ids);
}
