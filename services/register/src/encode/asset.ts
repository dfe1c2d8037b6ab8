import {
  type AssetSchema,
  type CreateAssetResultSchema,
  CreateAssetStatus,
  DepreciationMethod,
  DisposalMethod,
  type DisposalSchema,
  HistoryAction,
  type HistoryEntrySchema,
  StatusClass,
  type StatusSchema,
  type UpdateAssetResultSchema,
  UpdateAssetStatus,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { TagType } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import { encodeActor, encodeInstants, encodeMoney, enumNames } from "@asset-register/rpc";
import type { AppError } from "@asset-register/runtime";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Asset } from "../domain/assets/asset.ts";
import type { Disposal } from "../domain/assets/disposal.ts";
import type { HistoryEntry } from "../domain/assets/history.ts";
import type { Judged } from "../domain/assets/judged.ts";
import type { Status } from "../domain/assets/status.ts";
import type { CheckoutView } from "../domain/custody/checkout.ts";
import { encodeCheckout } from "./custody.ts";

export const statusClassNames = enumNames(StatusClass);
export const depreciationMethodNames = enumNames(DepreciationMethod);
export const disposalMethodNames = enumNames(DisposalMethod);
export const historyActionNames = enumNames(HistoryAction);
export const tagTypeNames = enumNames(TagType);

export function encodeAsset(asset: Asset, checkout?: CheckoutView): MessageInitShape<typeof AssetSchema> {
  const { currency, disposed, tags = [] } = asset;
  return {
    ...encodeInstants(asset),
    cost: encodeMoney(asset.cost, currency),
    salvageValue: encodeMoney(asset.salvageValue, currency),
    depreciationMethod: depreciationMethodNames.encode(asset.depreciationMethod),
    disposed: disposed && encodeDisposal(disposed, currency),
    nbv: encodeMoney(asset.nbv, currency),
    accumulatedDepreciation: encodeMoney(asset.accumulatedDepreciation, currency),
    gainLoss: encodeMoney(asset.gainLoss, currency),
    tags: tags.map((tag) => ({ ...tag, type: tagTypeNames.encode(tag.type) })),
    createdBy: encodeActor(asset.createdBy),
    updatedBy: encodeActor(asset.updatedBy),
    image: asset.image && encodeInstants(asset.image),
    lastSeen: asset.lastSeen && encodeInstants(asset.lastSeen),
    currentCheckout: checkout && encodeCheckout(checkout),
  };
}

export function encodeDisposal(
  disposed: Disposal,
  currency: string,
): MessageInitShape<typeof DisposalSchema> {
  return {
    ...encodeInstants(disposed),
    method: disposalMethodNames.encode(disposed.method),
    proceeds: encodeMoney(disposed.proceeds, currency),
    by: encodeActor(disposed.by),
  };
}

export function encodeHistoryEntry(entry: HistoryEntry): MessageInitShape<typeof HistoryEntrySchema> {
  return {
    ...encodeInstants(entry),
    actor: encodeActor(entry.actor),
    action: historyActionNames.encode(entry.action),
  };
}

/** An asset without custom fields: no service uses them, and 1000 assets must fit into a message of 16 MiB. */
export const encodeAssetForServices = (asset: Asset, checkout?: CheckoutView) =>
  encodeAsset({ ...asset, customFields: undefined }, checkout);

export function encodeStatus(status: Status): MessageInitShape<typeof StatusSchema> {
  return { ...status, class: statusClassNames.encode(status.class) };
}

/** The result of one asset of several. */
export function encodeCreateResult(
  result: Judged<{ asset: Pick<Asset, "id" | "number">; strippedFields: string[] }>,
): MessageInitShape<typeof CreateAssetResultSchema> {
  if (!("error" in result)) {
    const { asset, strippedFields } = result;
    return { status: CreateAssetStatus.CREATED, id: asset.id, number: asset.number, strippedFields };
  }
  return { status: CreateAssetStatus.REJECTED, error: encodeError(result.error) };
}

/** The result of one asset of several. */
export function encodeUpdateResult(
  result: Judged<{ isChanged: boolean; rev: number }>,
): MessageInitShape<typeof UpdateAssetResultSchema> {
  const { CHANGED, UNCHANGED, REJECTED } = UpdateAssetStatus;
  if ("error" in result) return { status: REJECTED, error: encodeError(result.error) };
  return { status: result.isChanged ? CHANGED : UNCHANGED, rev: result.rev };
}

const encodeError = ({ kind, code, message, violations }: AppError) => ({ kind, code, message, violations });
