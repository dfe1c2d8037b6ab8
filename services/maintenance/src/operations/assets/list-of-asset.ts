import type { Call, Page } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { findAsset } from "./find-asset.ts";

/**
 * A list of an asset's records, and whether it is disposed of.
 *
 * @throws AppError NOT_FOUND for an asset that is unknown or deleted
 */
export async function listOfAsset<T>(
  context: Context,
  assetId: string,
  call: Call,
  list: () => Promise<Page<T>>,
): Promise<Page<T> & { disposed: boolean }> {
  const asset = await findAsset(context, assetId, call);
  const { disposed } = requireFound(asset?.deleted ? undefined : asset, "asset");
  return { ...(await list()), disposed };
}
