import type {
  AssetPositions,
  SeenAsset,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import type { Asset } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { decodeInstant } from "@asset-register/rpc";
import type { Positions } from "../domain/alert-rules/coverage.ts";
import type { AssetFacts } from "../domain/alert-rules/meaning.ts";
import type { LastSighting } from "../store/projections/last-sightings.ts";

/** An asset of the register: its number and name in one text. `gone`: it is deleted or disposed of. */
export type FoundAsset = AssetFacts & { label: string; deleted: boolean; gone: boolean };

export function decodeAsset({ number, name, deletedAt, disposed, ...asset }: Asset): FoundAsset {
  const label = [number, name].filter(Boolean).join(" ");
  if (deletedAt) return { label, deleted: true, gone: true };
  const { categoryId, locationId, statusId } = asset;
  const facts = { label, categoryId, locationId, statusId: statusId || undefined };
  return { ...facts, deleted: false, gone: disposed !== undefined };
}

export function decodePositions({ asset, movements, checkouts }: AssetPositions): Positions {
  return {
    locationId: asset?.locationId,
    movements: movements.flatMap(({ at, reason, fromLocationId, toLocationId }) => {
      const moved = decodeInstant(at);
      return moved ? [{ at: moved, reason, fromLocationId, toLocationId }] : [];
    }),
    checkouts: checkouts.flatMap(({ issuedAt, returnedAt }) => {
      const issued = decodeInstant(issuedAt);
      return issued ? [{ issuedAt: issued, returnedAt: decodeInstant(returnedAt) }] : [];
    }),
  };
}

/** The register does not keep the order of sightings. Every sighting of the topic comes after it. */
export function decodeLastSeen(workspaceId: string, { assetId, lastSeen }: SeenAsset): LastSighting[] {
  const at = decodeInstant(lastSeen?.at);
  if (!lastSeen || !at) return [];
  const { zoneId, readerId } = lastSeen;
  return [
    {
      ...{ id: assetId, workspaceId, at, order: { epoch: 0, sequence: 0 } },
      zoneId: zoneId || undefined,
      readerId: readerId || undefined,
    },
  ];
}
