import type {
  ListChangedAssetsResponseSchema,
  ListLastSeenResponseSchema,
  ListPositionsResponseSchema,
  ListScopeResponseSchema,
  ResolveAssetsResponseSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import type { AssetSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { encodeInstants, encodeMoney } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { encodeChangeCursor } from "../decode/asset-directory.ts";
import type { Asset } from "../domain/assets/asset.ts";
import { withOverdue } from "../domain/custody/checkout.ts";
import type { StatusesById } from "../operations/assets/statuses.ts";
import type { ChangedAssets } from "../operations/directory/list-changed-assets.ts";
import type { PositionsPage } from "../operations/directory/list-positions.ts";
import type { ScopePage } from "../operations/directory/list-scope.ts";
import type { ResolvedAssets } from "../operations/directory/resolve-assets.ts";
import type { PlacedAsset } from "../store/assets/asset-directory.ts";
import { encodeAssetForServices, encodeDisposal, statusClassNames } from "./asset.ts";
import { encodeCheckout, encodeMovement } from "./custody.ts";

/** Class and key of an asset's status. */
function encodeStatusOf({ statusId }: Pick<Asset, "statusId">, statuses: StatusesById) {
  const status = statuses.get(statusId);
  return { statusClass: statusClassNames.encode(status?.class), statusKey: status?.key ?? "" };
}

export function encodeResolvedAssets(
  { assets, statuses, checkouts, lastMovements }: ResolvedAssets,
  now: Date,
): MessageInitShape<typeof ResolveAssetsResponseSchema> {
  return {
    assets: assets.map((asset) => {
      const checkout = checkouts.get(asset.id);
      const lastMovement = lastMovements.get(asset.id);
      return {
        asset: encodeAssetForServices(asset, checkout && withOverdue(checkout, now)),
        ...encodeStatusOf(asset, statuses),
        lastMovement: lastMovement && encodeMovement(lastMovement),
      };
    }),
  };
}

export function encodeScope({
  assets,
  statuses,
  nextAfterId,
  total,
}: ScopePage): MessageInitShape<typeof ListScopeResponseSchema> {
  return {
    assets: assets.map((asset) => ({
      id: asset.id,
      number: asset.number,
      name: asset.name,
      propertyId: asset.propertyId,
      buildingId: asset.buildingId,
      floorId: asset.floorId,
      locationId: asset.locationId,
      categoryId: asset.categoryId,
      custodianId: asset.custodianId,
      statusId: asset.statusId,
      ...encodeStatusOf(asset, statuses),
    })),
    nextAfterId,
    total,
  };
}

function encodePlaced(asset: PlacedAsset): MessageInitShape<typeof AssetSchema> {
  const { id, number, name, locationId, statusId, cost, nbv, currency, disposed, deletedAt } = asset;
  return {
    ...{ id, number, name, locationId, statusId },
    cost: encodeMoney(cost, currency),
    nbv: encodeMoney(nbv, currency),
    disposed: disposed && encodeDisposal(disposed, currency),
    deletedAt: deletedAt && timestampFromDate(deletedAt),
  };
}

export function encodePositions(
  { positions, statuses, nextAssetId }: PositionsPage,
  now: Date,
): MessageInitShape<typeof ListPositionsResponseSchema> {
  return {
    assets: positions.map(({ asset, inScope, movements, checkouts }) => ({
      asset: encodePlaced(asset),
      ...encodeStatusOf(asset, statuses),
      inScope,
      movements: movements.map((movement) => encodeMovement({ ...movement, note: undefined })),
      checkouts: checkouts.map((checkout) => encodeCheckout(withOverdue(checkout, now))),
    })),
    nextAssetId,
  };
}

export function encodeChangedAssets({
  assets,
  statuses,
  cursor,
  nextSince,
}: ChangedAssets): MessageInitShape<typeof ListChangedAssetsResponseSchema> {
  return {
    assets: assets.map((asset) => ({
      asset: encodeAssetForServices(asset),
      ...encodeStatusOf(asset, statuses),
    })),
    nextCursor: cursor && encodeChangeCursor(cursor),
    nextSince: nextSince && timestampFromDate(nextSince),
  };
}

export function encodeLastSeen(
  found: Asset[],
  limit: number,
): MessageInitShape<typeof ListLastSeenResponseSchema> {
  const assets = found.slice(0, limit);
  return {
    assets: assets.map(({ id, lastSeen }) => ({
      assetId: id,
      lastSeen: lastSeen && encodeInstants(lastSeen),
    })),
    nextAfterId: found.length > limit ? assets.at(-1)?.id : undefined,
  };
}
