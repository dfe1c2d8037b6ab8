import type { Asset } from "../assets/asset.ts";

/** A sighting by a reader that moves assets. */
export type AutoMove = {
  /** Of the event, which is applied once. */
  causeId: string;
  workspaceId: string;
  assetId: string;
  locationId: string;
  readerId: string;
  /** The read that it comes from. */
  readId: string;
  /** The effective time of the read. */
  at: Date;
};

/** Whether a sighting may move an asset. The asset's own movements, holders and end count more (ingest.md). */
export function mayAutoMove(asset: Asset, at: Date): boolean {
  const { openCheckoutId, disposed, lastMovedAt } = asset;
  return !openCheckoutId && !disposed && (lastMovedAt === undefined || at > lastMovedAt);
}
