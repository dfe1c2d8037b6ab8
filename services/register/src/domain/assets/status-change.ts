import { conflict, invalid } from "@asset-register/runtime";
import { assertNotDisposed } from "../custody/movement.ts";
import type { Asset } from "./asset.ts";
import type { Status } from "./status.ts";

/**
 * Whether a caller may set another status.
 * @throws AppError VALIDATION_FAILED, ASSET_DISPOSED, ASSET_CHECKED_OUT
 */
export function assertStatusMayChange(asset: Asset, to: Status): void {
  if (!asset.disposed && to.key === "disposed") {
    throw invalid([{ field: "status_id", message: "is set by a disposal only" }]);
  }
  assertNotDisposed(asset);
  if (to.class === "archived" && asset.openCheckoutId) {
    throw conflict("ASSET_CHECKED_OUT", "The asset is checked out. Return it before you archive it.", [
      { field: "checkout_id", message: asset.openCheckoutId },
    ]);
  }
}
