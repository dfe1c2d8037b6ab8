import type { BookState } from "../ledger/book-state.ts";
import type { KnownAsset } from "../profiles/asset.ts";

/** A stock-take has written an asset off. `assetRev` is the asset's rev after that. */
export type WriteOff = { workspaceId: string; assetId: string; assetRev: number };

/**
 * Whether a write-off by a stock-take marks the asset. The topics of assets and stock-takes have no common order: an
 * asset that was changed after the write-off has it only if its status is still lost.
 */
export function takesWriteOff(
  {
    asset,
    disposals,
    state,
  }: {
    asset: KnownAsset;
    disposals: readonly unknown[];
    state?: BookState | undefined;
  },
  assetRev: number,
): boolean {
  if (asset.deletedAt !== undefined || asset.disposal !== undefined || disposals.length > 0) return false;
  if (state?.writeOff !== undefined && state.writeOff.assetRev >= assetRev) return false;
  return asset.rev <= assetRev || asset.statusKey === "lost";
}
