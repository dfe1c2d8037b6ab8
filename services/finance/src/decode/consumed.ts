import type { Incoming } from "@asset-register/events";
import type { AssetEventSchema } from "@asset-register/proto/assetregister/events/v1/asset_pb";
import type { OrganisationEventSchema } from "@asset-register/proto/assetregister/events/v1/organisation_pb";
import type { StocktakeEventSchema } from "@asset-register/proto/assetregister/events/v1/stocktake_pb";
import type { Asset, Disposal } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { Resolution } from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { decodeActor, decodeInstant, minorUnits } from "@asset-register/rpc";
import type { AssetDisposal, KnownAsset } from "../domain/asset.ts";
import type { WriteOff } from "../domain/write-off.ts";
import { conventionNames, depreciationMethodNames, disposalMethodNames } from "../encode/names.ts";
import type { AssetState } from "../store/assets.ts";
import type { CategoryState } from "../store/categories.ts";

/** A tombstone follows a state that says that the asset is deleted, so it adds nothing. */
export function decodeAssetEvent(event: Incoming<typeof AssetEventSchema>): AssetState[] {
  const { workspaceId, epoch, sequence, message } = event;
  const state = message?.state;
  if (!state) return [];
  return [{ workspaceId, epoch, sequence, asset: decodeAsset(state, message.statusKey) }];
}

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

/** A tombstone does not say the kind. A row of an id that is no category has no effect. */
export function decodeCategoryEvent(event: Incoming<typeof OrganisationEventSchema>): CategoryState[] {
  const { workspaceId, subject: id, epoch, sequence, message } = event;
  const state = message?.state;
  if (state?.kind !== OrganisationKind.CATEGORY) return [];
  const { name, parentId, depreciation } = state;
  const category = {
    ...{ id, workspaceId, name, parentId, deleted: state.deletedAt !== undefined },
    depreciation: depreciation && {
      method: depreciationMethodNames.decode(depreciation.method),
      usefulLifeMonths: depreciation.usefulLifeMonths,
      salvagePercent: depreciation.salvagePercent,
      convention: conventionNames.decode(depreciation.convention),
    },
  };
  return [{ workspaceId, epoch, sequence, category }];
}

/** The write-off of an asset by a stock-take, after register has had the effect. */
export function decodeWriteOff({ workspaceId, message }: Incoming<typeof StocktakeEventSchema>): WriteOff[] {
  if (message?.change.case !== "varianceResolved") return [];
  const { resolution, assetId, assetRev } = message.change.value;
  if (resolution !== Resolution.WRITTEN_OFF || assetId === undefined || assetRev === undefined) return [];
  return [{ workspaceId, assetId, assetRev }];
}
