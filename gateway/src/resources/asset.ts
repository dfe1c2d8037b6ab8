import { MoneySchema } from "@asset-register/proto/assetregister/common/v1/money_pb";
import {
  type Asset,
  type CreateAssetRequestSchema,
  FinanceFieldsSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { parseMoney } from "@asset-register/runtime";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import type { Caller } from "../credentials.ts";
import { orNull, presentActor, presentInstant, presentMoney } from "../http/present.ts";
import { body, id, instant, money, name, nullable, text } from "../http/schemas.ts";
import { checkoutSchema, presentCheckout } from "./checkout.ts";

const reference = (prefix: string) => nullable(id(prefix));

export const assetSchema = Type.Object({
  id: id("ast"),
  number: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  category_id: reference("cat"),
  department_id: reference("dep"),
  property_id: reference("prp"),
  building_id: reference("bld"),
  floor_id: reference("flr"),
  location_id: reference("loc"),
  status_id: reference("sta"),
  custodian_id: reference("cus"),
  serial_number: nullable(Type.String()),
  manufacturer: nullable(Type.String()),
  model: nullable(Type.String()),
  cost: nullable(Type.Number()),
  salvage_value: nullable(Type.Number()),
  useful_life_months: nullable(Type.Integer()),
  in_service_date: nullable(Type.String()),
  depreciation_method: nullable(Type.String()),
  supplier: nullable(Type.String()),
  purchase_order: nullable(Type.String()),
  invoice_number: nullable(Type.String()),
  nbv: nullable(Type.Number()),
  last_seen: nullable(
    Type.Object({
      at: nullable(instant()),
      reader_id: reference("rdr"),
      zone_id: reference("zon"),
      location_id: reference("loc"),
    }),
  ),
  current_checkout: nullable(checkoutSchema),
  rev: Type.Integer(),
  created_at: nullable(instant()),
  created_by: nullable(Type.String()),
  updated_at: nullable(instant()),
  updated_by: nullable(Type.String()),
});

/** An asset as both surfaces show it. */
export function presentAsset(asset: Asset, digits: number): Type.Static<typeof assetSchema> {
  const { finance, lastSeen } = asset;
  return {
    id: asset.id,
    number: asset.number,
    name: asset.name,
    description: orNull(asset.description),
    category_id: orNull(asset.categoryId),
    department_id: orNull(asset.departmentId),
    property_id: orNull(asset.propertyId),
    building_id: orNull(asset.buildingId),
    floor_id: orNull(asset.floorId),
    location_id: orNull(asset.locationId),
    status_id: orNull(asset.statusId),
    custodian_id: orNull(asset.custodianId),
    serial_number: orNull(asset.serialNumber),
    manufacturer: orNull(asset.manufacturer),
    model: orNull(asset.model),
    cost: presentMoney(finance?.cost, digits),
    salvage_value: presentMoney(finance?.salvageValue, digits),
    useful_life_months: finance?.usefulLifeMonths || null,
    in_service_date: orNull(finance?.inServiceDate ?? ""),
    depreciation_method: orNull(finance?.depreciationMethod ?? ""),
    supplier: orNull(finance?.supplier ?? ""),
    purchase_order: orNull(finance?.purchaseOrder ?? ""),
    invoice_number: orNull(finance?.invoiceNumber ?? ""),
    nbv: presentMoney(asset.nbv, digits),
    last_seen: lastSeen
      ? {
          at: presentInstant(lastSeen.at),
          reader_id: orNull(lastSeen.readerId),
          zone_id: orNull(lastSeen.zoneId),
          location_id: orNull(lastSeen.locationId),
        }
      : null,
    current_checkout: asset.currentCheckout ? presentCheckout(asset.currentCheckout) : null,
    rev: Number(asset.rev),
    created_at: presentInstant(asset.createdAt),
    created_by: presentActor(asset.createdBy),
    updated_at: presentInstant(asset.updatedAt),
    updated_by: presentActor(asset.updatedBy),
  };
}

const optional = Type.Optional;

/** The fields that a caller may write; `status_id` is taken and ignored (http.md). */
export const newAssetSchema = body({
  name,
  number: optional(Type.String({ minLength: 1, maxLength: 50 })),
  description: optional(text),
  category_id: optional(id("cat")),
  department_id: optional(id("dep")),
  property_id: optional(id("prp")),
  building_id: optional(id("bld")),
  floor_id: optional(id("flr")),
  location_id: optional(id("loc")),
  custodian_id: optional(id("cus")),
  status_id: optional(Type.String({ maxLength: 100, description: "Ignored: use the status operation" })),
  serial_number: optional(Type.String({ maxLength: 200 })),
  manufacturer: optional(Type.String({ maxLength: 200 })),
  model: optional(Type.String({ maxLength: 200 })),
  cost: optional(money),
  salvage_value: optional(money),
  useful_life_months: optional(Type.Integer({ minimum: 1, maximum: 1200 })),
  in_service_date: optional(Type.String({ format: "date" })),
  depreciation_method: optional(Type.String({ maxLength: 50 })),
  supplier: optional(Type.String({ maxLength: 200 })),
  purchase_order: optional(Type.String({ maxLength: 100 })),
  invoice_number: optional(Type.String({ maxLength: 100 })),
});

/**
 * A body of POST assets as its RPC takes it.
 *
 * @throws AppError invalid for an amount that the currency can't hold
 */
export function toNewAsset(
  input: Type.Static<typeof newAssetSchema>,
  { workspace: { currency }, currencyDigits }: Caller,
): MessageInitShape<typeof CreateAssetRequestSchema> {
  const amount = (field: string, value: string | number | undefined) =>
    value === undefined
      ? undefined
      : create(MoneySchema, { minorUnits: BigInt(parseMoney(value, currencyDigits, field)), currency });
  return {
    name: input.name,
    number: input.number,
    description: input.description,
    categoryId: input.category_id,
    departmentId: input.department_id,
    propertyId: input.property_id,
    buildingId: input.building_id,
    floorId: input.floor_id,
    locationId: input.location_id,
    custodianId: input.custodian_id,
    serialNumber: input.serial_number,
    manufacturer: input.manufacturer,
    model: input.model,
    finance: create(FinanceFieldsSchema, {
      cost: amount("cost", input.cost),
      salvageValue: amount("salvage_value", input.salvage_value),
      usefulLifeMonths: input.useful_life_months,
      inServiceDate: input.in_service_date,
      depreciationMethod: input.depreciation_method,
      supplier: input.supplier,
      purchaseOrder: input.purchase_order,
      invoiceNumber: input.invoice_number,
    }),
  };
}

/** What of a body was not taken on purpose. */
export const ignoredFields = (input: { status_id?: string }): string[] =>
  input.status_id === undefined ? [] : ["status_id"];
