import {
  type AssetSchema,
  DepreciationMethod,
  StatusClass,
  type StatusSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { encodeActor, encodeInstants, encodeMoney, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Asset } from "../domain/asset.ts";
import type { CheckoutView } from "../domain/checkout.ts";
import type { Status } from "../domain/status.ts";
import { encodeCheckout } from "./custody.ts";

export const statusClassNames = enumNames(StatusClass);
export const depreciationMethodNames = enumNames(DepreciationMethod);

export function encodeAsset(asset: Asset, checkout?: CheckoutView): MessageInitShape<typeof AssetSchema> {
  return {
    ...encodeInstants(asset),
    cost: encodeMoney(asset.cost, asset.currency),
    salvageValue: encodeMoney(asset.salvageValue, asset.currency),
    depreciationMethod: depreciationMethodNames.encode(asset.depreciationMethod),
    nbv: encodeMoney(asset.nbv, asset.currency),
    createdBy: encodeActor(asset.createdBy),
    updatedBy: encodeActor(asset.updatedBy),
    lastSeen: asset.lastSeen && encodeInstants(asset.lastSeen),
    currentCheckout: checkout && encodeCheckout(checkout),
  };
}

export function encodeStatus(status: Status): MessageInitShape<typeof StatusSchema> {
  return { ...status, class: statusClassNames.encode(status.class) };
}
