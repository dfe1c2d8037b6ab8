import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { KnownAsset } from "../../domain/assets/asset.ts";

/**
 * An asset of the caller's workspace, also a deleted one. Register is asked if the projection lacks it: an asset may be
 * used straight after its creation.
 */
export async function findAsset(
  { clients, stores }: Context,
  assetId: string,
  call: Call,
): Promise<KnownAsset | undefined> {
  const { workspaceId } = call;
  const known = await stores.assets.get(workspaceId, assetId);
  if (known) return known;
  await stores.assets.project(await clients.getAssets([assetId], call));
  return stores.assets.get(workspaceId, assetId);
}
