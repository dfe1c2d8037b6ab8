import type { Call } from "@asset-register/rpc";
import { newId, notFound, requireRev } from "@asset-register/runtime";
import type { Asset } from "../domain/asset.ts";
import {
  type Destination,
  type Movement,
  move,
  refuseCustodianWhileOut,
  refuseDisposed,
} from "../domain/movement.ts";
import { placeOf } from "../domain/place.ts";
import type { Register } from "../register.ts";
import { findReferences } from "./find-references.ts";
import { recordChange } from "./record-change.ts";

export type CreateMovement = {
  assetId: string;
  toLocationId?: string | undefined;
  toCustodianId?: string | undefined;
  reason: string;
  ref?: string | undefined;
  note?: string | undefined;
  ifRevIn: readonly bigint[];
};

export type Moved = { asset: Asset; movement?: Movement | undefined };

/** Moves an asset; to where it already is: the asset alone, and nothing is written. */
export async function createMovement(register: Register, input: CreateMovement, call: Call): Promise<Moved> {
  const { mongo, stores, now } = register;
  const { workspaceId } = call;
  const found = await findReferences(stores.organisation, workspaceId, {
    to_location_id: { id: input.toLocationId, kind: "location" },
    to_custodian_id: { id: input.toCustodianId, kind: "custodian" },
  });
  const location = found.to_location_id;
  const to: Destination = {
    location: location && { ...placeOf(location), id: location.id },
    custodianId: input.toCustodianId,
  };
  const { reason, ref, note } = input;
  return mongo.transaction(call, async (session) => {
    const before = await stores.assets.get(workspaceId, input.assetId, session);
    if (!before) throw notFound("There is no such asset.", "asset_id");
    requireRev(before.rev, input.ifRevIn);
    refuseDisposed(before);
    refuseCustodianWhileOut(before, to);
    const at = now();
    const cause = { movementId: newId("mov"), reason, ref, note, at, by: call.actor };
    const moved = move(before, to, cause);
    if (!moved) return { asset: before };
    const asset = await recordChange(register, call, { before, at, move: moved }, session);
    return { asset, movement: moved.movement };
  });
}
