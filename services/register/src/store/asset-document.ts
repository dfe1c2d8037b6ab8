import type { Actor } from "../domain/actor.ts";
import { type Asset, assetTokens, type LastSeen } from "../domain/asset.ts";
import { numberKey } from "../domain/asset-number.ts";

/** An asset as it is stored. Amounts are minor units of `currency`. */
export type AssetDocument = {
  _id: string;
  workspaceId: string;
  number: string;
  number_key: string;
  name: string;
  description?: string | undefined;
  category_id?: string | undefined;
  department_id?: string | undefined;
  property_id?: string | undefined;
  building_id?: string | undefined;
  floor_id?: string | undefined;
  location_id?: string | undefined;
  custodian_id?: string | undefined;
  status_id: string;
  serial_number?: string | undefined;
  manufacturer?: string | undefined;
  model?: string | undefined;
  finance: {
    cost?: number | undefined;
    salvage_value?: number | undefined;
    useful_life_months?: number | undefined;
    in_service_date?: string | undefined;
    depreciation_method?: string | undefined;
    supplier?: string | undefined;
    purchase_order?: string | undefined;
    invoice_number?: string | undefined;
  };
  currency: string;
  tokens: string[];
  open_checkout_id?: string | undefined;
  movement_count: number;
  checkout_count: number;
  rev: number;
  /** Part of every index, so that counts and pages of living assets never look at a document. */
  deleted: boolean;
  deleted_at?: Date | undefined;
  disposed_at?: Date | undefined;
  created_at: Date;
  created_by: Actor;
  updated_at: Date;
  updated_by: Actor;
  nbv?: number | undefined;
  last_seen?: LastSeenDocument | undefined;
};

export type LastSeenDocument = { at: Date; reader_id: string; zone_id: string; location_id: string };

/** What people and rules change: everything but id, creation and what is only observed. */
export function toStored(asset: Asset) {
  const { finance } = asset;
  return {
    number: asset.number,
    number_key: numberKey(asset.number),
    name: asset.name,
    description: asset.description,
    category_id: asset.categoryId,
    department_id: asset.departmentId,
    property_id: asset.propertyId,
    building_id: asset.buildingId,
    floor_id: asset.floorId,
    location_id: asset.locationId,
    custodian_id: asset.custodianId,
    status_id: asset.statusId,
    serial_number: asset.serialNumber,
    manufacturer: asset.manufacturer,
    model: asset.model,
    finance: {
      cost: finance.cost,
      salvage_value: finance.salvageValue,
      useful_life_months: finance.usefulLifeMonths,
      in_service_date: finance.inServiceDate,
      depreciation_method: finance.depreciationMethod,
      supplier: finance.supplier,
      purchase_order: finance.purchaseOrder,
      invoice_number: finance.invoiceNumber,
    },
    currency: asset.currency,
    tokens: assetTokens(asset),
    open_checkout_id: asset.openCheckoutId,
    movement_count: asset.movementCount,
    checkout_count: asset.checkoutCount,
    rev: asset.rev,
    deleted: asset.deletedAt !== undefined,
    deleted_at: asset.deletedAt,
    disposed_at: asset.disposedAt,
    updated_at: asset.updatedAt,
    updated_by: asset.updatedBy,
  } satisfies Partial<AssetDocument>;
}

export function toLastSeenDocument(seen: LastSeen): LastSeenDocument {
  return { at: seen.at, reader_id: seen.readerId, zone_id: seen.zoneId, location_id: seen.locationId };
}

export function toDocument(asset: Asset): AssetDocument {
  return {
    _id: asset.id,
    workspaceId: asset.workspaceId,
    ...toStored(asset),
    created_at: asset.createdAt,
    created_by: asset.createdBy,
    nbv: asset.nbv,
    last_seen: asset.lastSeen && toLastSeenDocument(asset.lastSeen),
  };
}

export function fromDocument(document: AssetDocument): Asset {
  const { finance, last_seen: seen } = document;
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    number: document.number,
    name: document.name,
    description: document.description,
    categoryId: document.category_id,
    departmentId: document.department_id,
    propertyId: document.property_id,
    buildingId: document.building_id,
    floorId: document.floor_id,
    locationId: document.location_id,
    custodianId: document.custodian_id,
    statusId: document.status_id,
    serialNumber: document.serial_number,
    manufacturer: document.manufacturer,
    model: document.model,
    finance: {
      cost: finance.cost,
      salvageValue: finance.salvage_value,
      usefulLifeMonths: finance.useful_life_months,
      inServiceDate: finance.in_service_date,
      depreciationMethod: finance.depreciation_method,
      supplier: finance.supplier,
      purchaseOrder: finance.purchase_order,
      invoiceNumber: finance.invoice_number,
    },
    currency: document.currency,
    openCheckoutId: document.open_checkout_id,
    movementCount: document.movement_count,
    checkoutCount: document.checkout_count,
    rev: document.rev,
    deletedAt: document.deleted_at,
    disposedAt: document.disposed_at,
    createdAt: document.created_at,
    createdBy: document.created_by,
    updatedAt: document.updated_at,
    updatedBy: document.updated_by,
    nbv: document.nbv,
    lastSeen: seen && {
      at: seen.at,
      readerId: seen.reader_id,
      zoneId: seen.zone_id,
      locationId: seen.location_id,
    },
  };
}
