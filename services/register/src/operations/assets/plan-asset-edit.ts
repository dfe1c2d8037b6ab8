import type { Actor } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { Asset } from "../../domain/assets/asset.ts";
import { assertMayEdit, editChanges, formerNumbers } from "../../domain/assets/asset-edit.ts";
import { assertCustodianMayChange, type Destination, move } from "../../domain/custody/movement.ts";
import { customFieldChanges } from "../../domain/custom-fields/custom-field-merge.ts";
import type { AssetChange } from "./save-asset-change.ts";

/**
 * The change from one state of an asset to another: one movement if its location or custodian changes, and a row of the
 * history for each kind of change. Undefined where nothing changes.
 *
 * @throws AppError ASSET_DISPOSED, ASSET_CHECKED_OUT
 */
export function planAssetEdit(
  before: Asset,
  after: Asset,
  { reason, at, by }: { reason: "edit" | "import"; at: Date; by: Actor },
): AssetChange | undefined {
  const changes = [
    ...editChanges(before, after),
    ...customFieldChanges(before.customFields, after.customFields),
  ];
  const to = destinationOf(before, after);
  const moved = move(before, to, { movementId: newId("mov"), reason, at, by });
  if (changes.length === 0 && !moved) return undefined;
  assertMayEdit(before, [...changes, ...(moved?.changes ?? [])]);
  assertCustodianMayChange(before, to);
  const fields = { ...after, formerNumbers: formerNumbers(before, after.number) };
  const history = changes.length > 0 ? [{ action: "updated" as const, changes }] : [];
  return { before, at, fields, history, move: moved };
}

function destinationOf(before: Asset, { locationId, custodianId, ...after }: Asset): Destination {
  const location = locationId === undefined ? null : { ...after, id: locationId };
  return {
    location: locationId === before.locationId ? undefined : location,
    custodianId: custodianId === before.custodianId ? undefined : (custodianId ?? null),
  };
}
