import type { ClientSession } from "@asset-register/mongo";
import type { Patch } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { Asset, AssetFields } from "../../domain/assets/asset.ts";
import {
  type AssetPlace,
  changedPlace,
  keptBy,
  levelFields,
  placeLevels,
} from "../../domain/assets/asset-place.ts";
import { findReferences } from "../organisation/find-references.ts";
import { assetReferences, namedPlaces } from "./judge-new-assets.ts";

/**
 * Looks up the records that one change of some assets refers to.
 * @returns the place of each asset after the change, see `changedPlace`
 * @throws AppError as findReferences
 */
export async function findPlaces(
  context: Context,
  workspaceId: string,
  change: Patch<AssetFields>,
  assets: readonly Asset[],
  session: ClientSession,
): Promise<(before: Asset) => AssetPlace> {
  const found = await findReferences(context, workspaceId, assetReferences(change), session);
  const given = placeLevels.filter((level) => Object.hasOwn(change, levelFields[level]));
  const places = { given, named: namedPlaces(found) };
  const keptIds = new Set(assets.flatMap((before) => keptBy(before, places) ?? []));
  const kept = await context.stores.organisation.getMany(workspaceId, [...keptIds], session);
  return (before) => changedPlace(before, places, kept);
}
