import { conflict } from "@asset-register/runtime";
import type { Actor } from "./actor.ts";
import type { Asset } from "./asset.ts";
import type { Change } from "./history.ts";
import type { Place } from "./place.ts";

/** One change of an asset's location or custodian. Both ends are complete: where and with whom, before and after. */
export type Movement = {
  id: string;
  workspaceId: string;
  assetId: string;
  fromLocationId?: string | undefined;
  fromCustodianId?: string | undefined;
  toLocationId?: string | undefined;
  toCustodianId?: string | undefined;
  reason: string;
  ref?: string | undefined;
  note?: string | undefined;
  at: Date;
  by: Actor;
  /** Its place in the asset's movements, from 1: the event's sequence. */
  sequence: number;
};

/** Where to. An absent side stays as it is; a custodian of `null` means nobody. */
export type Destination = {
  location?: ({ id: string } & Place) | undefined;
  custodianId?: string | null | undefined;
};

/** What stands beside the move itself. */
export type MoveCause = {
  movementId: string;
  reason: string;
  ref?: string | undefined;
  note?: string | undefined;
  at: Date;
  by: Actor;
};

/** Refuses what may not be done to a disposed asset: CONFLICT, ASSET_DISPOSED. */
export function refuseDisposed(asset: Asset): void {
  if (asset.disposedAt) throw conflict("ASSET_DISPOSED", "The asset has been disposed of.");
}

/** Refuses a person's change of custodian while somebody else holds the asset: ASSET_CHECKED_OUT. */
export function refuseCustodianWhileOut(asset: Asset, to: Destination): void {
  if (
    asset.openCheckoutId &&
    to.custodianId !== undefined &&
    to.custodianId !== (asset.custodianId ?? null)
  ) {
    throw conflict("ASSET_CHECKED_OUT", "The asset is checked out: return it before its custodian changes.");
  }
}

/** What a move changes of its asset, the row that tells of it, and the fields that it changed. */
export type Move = { change: Partial<Asset>; movement: Movement; changes: Change[] };

/**
 * The move of an asset to a destination. Absent when it is already there: then
 * nothing is written. The asset's movement count gives the event's sequence.
 */
export function move(asset: Asset, to: Destination, cause: MoveCause): Move | undefined {
  const locationId = to.location?.id ?? asset.locationId;
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
  const place = to.location && {
    locationId: to.location.id,
    propertyId: to.location.propertyId,
    buildingId: to.location.buildingId,
    floorId: to.location.floorId,
  };
  const { movementId, ...told } = cause;
  return {
    change: { ...place, custodianId, movementCount: sequence },
    movement: {
      ...told,
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
