import type {
  AssetPositions,
  ResolvedAsset,
} from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import type { Movement } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import { decodeInstant, minorUnits } from "@asset-register/rpc";
import type { AssetFact, CheckoutFact, MovementFact } from "../domain/reconcile/facts.ts";
import type { AssetDetails } from "../domain/reconcile/write-rows.ts";

/** The reason of the movements that register makes for a stock-take. Their ref is the session. */
const OWN_REASON = "stock-take";

/** An asset as a reconcile sees it. */
export type CountedAsset = { fact: AssetFact; details: AssetDetails };

export function decodePosition(positions: AssetPositions, sessionId: string): CountedAsset {
  const { asset, statusKey, inScope, movements, checkouts } = positions;
  return {
    details: detailsOf(asset),
    fact: {
      assetId: asset?.id ?? "",
      gone: isGone(asset),
      lost: statusKey === "lost",
      inScope: inScope ?? false,
      locationId: asset?.locationId,
      movements: movements.map((movement) => decodeMovement(movement, sessionId)),
      checkouts: checkouts.map(
        ({ id, issuedAt, returnedAt }): CheckoutFact => ({
          id,
          issuedAt: instant(issuedAt),
          returnedAt: decodeInstant(returnedAt),
        }),
      ),
    },
  };
}

function decodeMovement(movement: Movement, sessionId: string): MovementFact {
  const { at, fromLocationId, toLocationId, reason, ref } = movement;
  return { at: instant(at), fromLocationId, toLocationId, own: reason === OWN_REASON && ref === sessionId };
}

/** An asset that a tag had, if it is gone. */
export const decodeResolvedAsset = ({ asset }: ResolvedAsset) => ({
  assetId: asset?.id ?? "",
  gone: isGone(asset),
  deleted: asset?.deletedAt !== undefined,
  details: detailsOf(asset),
});

type Asset = AssetPositions["asset"];

const isGone = (asset: Asset): boolean => asset?.deletedAt !== undefined || asset?.disposed !== undefined;

const detailsOf = (asset: Asset): AssetDetails => ({
  assetNumber: asset?.number,
  assetName: asset?.name,
  cost: minorUnits(asset?.cost),
  nbv: minorUnits(asset?.nbv),
});

const instant = (at: Movement["at"]): Date => decodeInstant(at) ?? new Date(0);
