import { conflict, invalid } from "@asset-register/runtime";
import { assertNotDisposed } from "../custody/movement.ts";
import type { Asset } from "./asset.ts";
import type { HistoryEntry } from "./history.ts";
import type { Status } from "./status.ts";

/**
 * Whether a caller may set another status.
 * @throws AppError VALIDATION_FAILED, ASSET_DISPOSED, ASSET_CHECKED_OUT
 */
function assertStatusMayChange(asset: Asset, to: Status): void {
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

/** The fields of a change of status, and its row of the history. */
export type StatusChange = {
  fields: Pick<Asset, "statusId">;
  history: Pick<HistoryEntry, "action" | "changes" | "note">[];
};

/**
 * The change of an asset to another status; undefined where the asset has it already.
 * @throws AppError VALIDATION_FAILED, ASSET_DISPOSED, ASSET_CHECKED_OUT
 */
export function planStatusChange(asset: Asset, to: Status, note?: string): StatusChange | undefined {
  if (asset.statusId === to.id) return undefined;
  assertStatusMayChange(asset, to);
  const changes = [{ field: "status_id", before: asset.statusId, after: to.id }];
  return { fields: { statusId: to.id }, history: [{ action: "status", changes, note }] };
}
