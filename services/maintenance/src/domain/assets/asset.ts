import { type AppError, conflict, notFound } from "@asset-register/runtime";

/** This service's copy of an asset. */
export type KnownAsset = {
  id: string;
  name?: string | undefined;
  categoryId?: string | undefined;
  disposed: boolean;
  deleted: boolean;
};

/** How long an asset was down, as the union of the downtimes of its work orders. */
export type AssetDowntime = {
  /** Work orders that keep it down now. */
  downOrders: number;
  /** When the first of them began. */
  downSince?: Date | undefined;
  /** Of the times that are over. */
  downtimeMs: number;
};

/** Whether the asset takes no new work. */
export const isGone = ({ disposed, deleted }: Partial<KnownAsset>): boolean =>
  disposed === true || deleted === true;

/** @throws AppError NOT_FOUND on asset_id for a deleted asset, ASSET_DISPOSED for a disposed one */
export function assertTakesWork(asset: KnownAsset): void {
  if (asset.deleted) throw notFound("asset", "asset_id");
  if (asset.disposed) throw assetDisposed(asset.id);
}

const assetDisposed = (assetId: string): AppError =>
  conflict("ASSET_DISPOSED", "The asset has been disposed of.", [{ field: "asset_id", message: assetId }]);
