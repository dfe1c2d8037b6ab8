import type { Incoming } from "@asset-register/events";
import { definedOnly } from "@asset-register/mongo";
import type { StocktakeEventSchema } from "@asset-register/proto/assetregister/events/v1/stocktake_pb";
import type { Asset, Disposal } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { CategoryDepreciation } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { Resolution } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { decodeActor, decodeInstant, minorUnits } from "@asset-register/rpc";
import type { WriteOff } from "../domain/disposals/write-off.ts";
import type { AssetDisposal, KnownAsset } from "../domain/profiles/asset.ts";
import type { CategoryDefaults } from "../domain/profiles/category.ts";
import { conventionNames, depreciationMethodNames, disposalMethodNames } from "../encode/names.ts";

export const decodeAsset = (asset: Asset, statusKey: string): KnownAsset => ({
  id: asset.id,
  categoryId: asset.categoryId,
  cost: minorUnits(asset.cost),
  salvageValue: minorUnits(asset.salvageValue),
  usefulLifeMonths: asset.usefulLifeMonths,
  inServiceDate: asset.inServiceDate,
  depreciationMethod: depreciationMethodNames.decode(asset.depreciationMethod),
  statusKey: statusKey || undefined,
  disposal: asset.disposed && decodeDisposal(asset.disposed),
  deletedAt: decodeInstant(asset.deletedAt),
  updatedBy: asset.updatedBy && decodeActor(asset.updatedBy),
  rev: asset.rev,
});

const decodeDisposal = ({ date, method, proceeds }: Disposal): AssetDisposal => ({
  date,
  // A method of a newer release is not sold: it has no other effect here.
  method: disposalMethodNames.decode(method) ?? "scrapped",
  proceeds: minorUnits(proceeds) ?? 0,
});

export const decodeDefaults = ({
  method,
  convention,
  usefulLifeMonths,
  salvagePercent,
}: CategoryDepreciation): CategoryDefaults =>
  definedOnly({
    method: depreciationMethodNames.decode(method),
    convention: conventionNames.decode(convention),
    ...{ usefulLifeMonths, salvagePercent },
  });

/** The write-off of an asset by a stock-take, after register has had the effect. */
export function decodeWriteOff({ workspaceId, message }: Incoming<typeof StocktakeEventSchema>): WriteOff[] {
  if (message?.change.case !== "varianceResolved") return [];
  const { resolution, assetId, assetRev } = message.change.value;
  if (resolution !== Resolution.WRITTEN_OFF || assetId === undefined || assetRev === undefined) return [];
  return [{ workspaceId, assetId, assetRev }];
}
