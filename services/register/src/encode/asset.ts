import {
  AssetSchema,
  LastSeenSchema,
  type Asset as ProtoAsset,
  StatusClass as ProtoClass,
  type Status as ProtoStatus,
  StatusSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { encodeActor } from "@asset-register/rpc";
import { create } from "@bufbuild/protobuf";
import type { Asset } from "../domain/asset.ts";
import type { CheckoutView } from "../domain/checkout.ts";
import type { Status, StatusClass } from "../domain/status.ts";
import { encodeCheckout } from "./checkout.ts";
import { encodeInstant, encodeMoney } from "./common.ts";

const classes = {
  pending: ProtoClass.PENDING,
  deployable: ProtoClass.DEPLOYABLE,
  undeployable: ProtoClass.UNDEPLOYABLE,
  archived: ProtoClass.ARCHIVED,
} as const satisfies Record<StatusClass, ProtoClass>;

export function encodeStatusClass(statusClass: StatusClass): ProtoClass {
  return classes[statusClass];
}

export function encodeStatus(status: Status): ProtoStatus {
  return create(StatusSchema, {
    id: status.id,
    name: status.name,
    class: encodeStatusClass(status.class),
    isDefault: status.isDefault,
  });
}

/** The complete state that people and rules decide: what `asset` events carry. */
export function encodeAssetState(asset: Asset): ProtoAsset {
  const { finance } = asset;
  return create(AssetSchema, {
    id: asset.id,
    number: asset.number,
    name: asset.name,
    description: asset.description,
    categoryId: asset.categoryId,
    departmentId: asset.departmentId,
    propertyId: asset.propertyId,
    buildingId: asset.buildingId,
    floorId: asset.floorId,
    locationId: asset.locationId,
    statusId: asset.statusId,
    custodianId: asset.custodianId,
    serialNumber: asset.serialNumber,
    manufacturer: asset.manufacturer,
    model: asset.model,
    finance: {
      ...finance,
      cost: encodeMoney(finance.cost, asset.currency),
      salvageValue: encodeMoney(finance.salvageValue, asset.currency),
    },
    rev: BigInt(asset.rev),
    createdAt: encodeInstant(asset.createdAt),
    createdBy: encodeActor(asset.createdBy),
    updatedAt: encodeInstant(asset.updatedAt),
    updatedBy: encodeActor(asset.updatedBy),
    deletedAt: encodeInstant(asset.deletedAt),
    disposedAt: encodeInstant(asset.disposedAt),
  });
}

/** The same and what is only observed: what callers read. */
export function encodeAsset(asset: Asset, checkout?: CheckoutView): ProtoAsset {
  const { lastSeen: seen } = asset;
  return Object.assign(encodeAssetState(asset), {
    nbv: encodeMoney(asset.nbv, asset.currency),
    lastSeen: seen && create(LastSeenSchema, { ...seen, at: encodeInstant(seen.at) }),
    currentCheckout: checkout && encodeCheckout(checkout),
  });
}
