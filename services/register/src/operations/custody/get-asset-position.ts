import { invalid, notFound, requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import type { Position } from "../../domain/custody/position.ts";
import { type Place, placeOf } from "../../domain/organisation/place.ts";
import { positionsAt } from "./positions-at.ts";

export type GetAssetPosition = { id: string; asOf: Date };

/** Where an asset was at an instant. Its name and the levels above its location are those of now. */
export type AssetPosition = Position & Place & Pick<Asset, "id" | "number" | "name"> & { asOf: Date };

/**
 * Place, custodian and status of an asset at an instant.
 * @throws AppError NOT_FOUND before its creation, VALIDATION_FAILED in the future
 */
export async function getAssetPosition(
  context: Context,
  { id, asOf }: GetAssetPosition,
  workspaceId: string,
): Promise<AssetPosition> {
  const { stores, now } = context;
  const asset = requireFound(await stores.assets.get(workspaceId, id), "asset");
  if (asOf > now()) throw invalid([{ field: "as_of", message: "must not be in the future" }]);
  if (asOf < asset.createdAt) throw notFound("asset");
  const positions = await positionsAt(context, workspaceId, [asset], asOf);
  const position = positions.get(id) ?? asset;
  const { locationId, custodianId, statusId } = position;
  const [location] = locationId ? await stores.organisation.getAll(workspaceId, [locationId]) : [];
  const place = location ? placeOf(location) : {};
  const { number, name } = asset;
  return { id, number, name, ...place, locationId, custodianId, statusId, asOf };
}
