import type { Actor } from "@asset-register/rpc";
import { type Change, conflict } from "@asset-register/runtime";
import type { Asset } from "../assets/asset.ts";
import type { Place } from "../organisation/place.ts";

/** One change of an asset's location or custodian. Both ends are complete: place and custodian, before and after. */
export type Movement = {
  id: string;
  workspaceId: string;
  assetId: string;
  fromLocationId?: string | undefined;
  fromCustodianId?: string | undefined;
  toLocationId?: string | undefined;
  toCustodianId?: string | undefined;
  /** One of `ownReasons`, "movement", or the caller's own text. */
  reason: string;
  ref?: string | undefined;
  note?: string | undefined;
  /** The asset's movements are ordered by (at, id). */
  at: Date;
  by: Actor;
  /** Counts the asset's movements, from 1: the event's sequence. */
  sequence: number;
  /** Of an effect for another service: names its cause, once in the workspace. */
  causeId?: string | undefined;
};

/** Reasons of movements that the service itself makes. Callers may not name them. */
export const ownReasons = ["edit", "import", "checkout", "return", "rfid", "stock-take"] as const;

/** The target of a move. An absent side stays as it is. `null` means no location, or nobody. */
export type Destination = {
  location?: ({ id: string } & Place) | null | undefined;
  custodianId?: string | null | undefined;
};

/** The other fields of a movement. */
export type MoveCause = {
  movementId: string;
  reason: string;
  ref?: string | undefined;
  note?: string | undefined;
  at: Date;
  by: Actor;
  causeId?: string | undefined;
};

/** @throws AppError ASSET_DISPOSED */
export function assertNotDisposed(asset: Asset): void {
  if (asset.disposed)
    throw conflict("ASSET_DISPOSED", "The asset has been disposed of.", [
      { field: "asset_id", message: asset.id },
    ]);
}

/**
 * While an asset is checked out, its custodian changes only by the return.
 * @throws AppError ASSET_CHECKED_OUT
 */
export function assertCustodianMayChange(asset: Asset, to: Destination): void {
  if (
    asset.openCheckoutId &&
    to.custodianId !== undefined &&
    to.custodianId !== (asset.custodianId ?? null)
  ) {
    throw conflict(
      "ASSET_CHECKED_OUT",
      "The asset is checked out. Return it before you change its custodian.",
      [{ field: "checkout_id", message: asset.openCheckoutId }],
    );
  }
}

/** A move: the asset's new fields, the movement, and the changes for the history. */
export type Move = { change: Partial<Asset>; movement: Movement; changes: Change[] };

/**
 * The move of an asset to a destination; undefined when it is already there. It is never dated before the asset's last
 * movement, since the order of (at, id) decides where an asset was.
 */
export function move(asset: Asset, to: Destination, cause: MoveCause): Move | undefined {
  const locationId = to.location === undefined ? asset.locationId : to.location?.id;
  const custodianId = to.custodianId === undefined ? asset.custodianId : (to.custodianId ?? undefined);
  const changes: Change[] = [];
  if (locationId !== asset.locationId) {
    changes.push({ field: "location_id", before: asset.locationId, after: locationId });
  }
  if (custodianId !== asset.custodianId) {
    changes.push({ field: "custodian_id", before: asset.custodianId, after: custodianId });
  }
  if (changes.length === 0) return undefined;
  const sequence = asset.movementCount + 1;
  const { location } = to;
  // Without a location, the caller decides the levels above.
  const place = location && {
    propertyId: location.propertyId,
    buildingId: location.buildingId,
    floorId: location.floorId,
  };
  const { movementId, ...rest } = cause;
  const { lastMovedAt } = asset;
  const at = lastMovedAt && lastMovedAt > cause.at ? lastMovedAt : cause.at;
  return {
    change: { ...place, locationId, custodianId, movementCount: sequence, lastMovedAt: at },
    movement: {
      ...rest,
      at,
      id: movementId,
      workspaceId: asset.workspaceId,
      assetId: asset.id,
      fromLocationId: asset.locationId,
      fromCustodianId: asset.custodianId,
      toLocationId: locationId,
      toCustodianId: custodianId,
      sequence,
    },
    changes,
  };
}
