import { conflict } from "@asset-register/runtime";
import type { Asset } from "./asset.ts";

/** @throws AppError ASSET_CHECKED_OUT */
export function assertNotCheckedOut({ openCheckoutId }: Asset): void {
  if (openCheckoutId) {
    throw conflict("ASSET_CHECKED_OUT", "The asset is checked out. Return it before you delete it.", [
      { field: "checkout_id", message: openCheckoutId },
    ]);
  }
}

/**
 * `hasPosted` is what finance answers. Without finance the accumulated depreciation decides.
 *
 * @throws AppError ASSET_CHECKED_OUT, ASSET_HAS_DEPRECIATION
 */
export function assertCanDelete(asset: Asset, hasPosted?: boolean | undefined): void {
  assertNotCheckedOut(asset);
  if (hasPosted ?? (asset.accumulatedDepreciation ?? 0) > 0) {
    throw conflict(
      "ASSET_HAS_DEPRECIATION",
      "Depreciation of the asset has been posted. Dispose of the asset instead.",
      [{ field: "asset_id", message: asset.id }],
    );
  }
}
