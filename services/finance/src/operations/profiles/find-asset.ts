import type { Call } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";

/**
 * An asset of the caller's workspace, also a deleted one. Register is asked if the projection lacks it: an asset may be
 * used straight after its creation.
 *
 * @throws AppError NOT_FOUND; UNAVAILABLE if register must be asked and is unavailable
 */
export async function findAsset(
  { clients, stores }: Context,
  assetId: string,
  call: Call,
): Promise<KnownAsset> {
  const { workspaceId } = call;
  const known = await stores.assets.get(workspaceId, assetId);
  if (known) return known;
  await stores.assets.projectAnswer(workspaceId, await clients.getAssets([assetId], call));
  return requireFound(await stores.assets.get(workspaceId, assetId), "asset");
}
