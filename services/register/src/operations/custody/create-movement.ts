import type { Call } from "@asset-register/rpc";
import { newId, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import {
  assertCustodianMayChange,
  assertNotDisposed,
  type Destination,
  type Movement,
  move,
} from "../../domain/custody/movement.ts";
import { placeOf } from "../../domain/organisation/place.ts";
import { saveAssetChange } from "../assets/save-asset-change.ts";
import { findReferences } from "../organisation/find-references.ts";

export type CreateMovement = {
  assetId: string;
  toLocationId?: string | undefined;
  toCustodianId?: string | undefined;
  reason: string;
  ref?: string | undefined;
  note?: string | undefined;
  ifRevIn: readonly number[];
};

export type Moved = { asset: Asset; movement?: Movement | undefined };

/** Moves an asset. Where it already is there, nothing is written, and the answer has no movement. */
export async function createMovement(context: Context, input: CreateMovement, call: Call): Promise<Moved> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  const { reason, ref, note } = input;
  return mongo.transaction(call, async (session) => {
    const references = {
      to_location_id: { id: input.toLocationId, kind: "location" },
      to_custodian_id: { id: input.toCustodianId, kind: "custodian" },
    } as const;
    const { to_location_id: location } = await findReferences(context, workspaceId, references, session);
    const to: Destination = {
      location: location && { ...placeOf(location), id: location.id },
      custodianId: input.toCustodianId,
    };
    const found = await stores.assets.get(workspaceId, input.assetId, session);
    const before = requireFound(found, "asset", "asset_id");
    requireRev(before.rev, input.ifRevIn);
    assertNotDisposed(before);
    assertCustodianMayChange(before, to);
    const at = now();
    const cause = { movementId: newId("mov"), reason, ref, note, at, by: call.actor };
    const moved = move(before, to, cause);
    if (!moved) return { asset: before };
    const asset = await saveAssetChange(context, call, { before, at, move: moved }, session);
    return { asset, movement: moved.movement };
  });
}
