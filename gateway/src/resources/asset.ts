import type { Asset } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import Type from "typebox";
import { orNull, presentActor, presentInstant, presentMoney } from "../http/present.ts";
import { exampleId, id, instant, like, nullable, rev } from "../http/schemas.ts";
import { checkoutSchema, presentCheckout } from "./checkout.ts";

const reference = (prefix: string) => nullable(id(prefix));

export const assetSchema = Type.Object(
  {
    id: id("ast"),
    number: like("AST-000042"),
    name: like("ThinkPad X1"),
    description: nullable(like("14 inch, 32 GB")),
    category_id: reference("cat"),
    department_id: reference("dep"),
    property_id: reference("prp"),
    building_id: reference("bld"),
    floor_id: reference("flr"),
    location_id: reference("loc"),
    status_id: reference("sta"),
    custodian_id: reference("cus"),
    serial_number: nullable(like("PF-3XK7A2")),
    manufacturer: nullable(like("Lenovo")),
    model: nullable(like("X1 Carbon Gen 12")),
    cost: nullable(Type.Number()),
    salvage_value: nullable(Type.Number()),
    useful_life_months: nullable(Type.Integer()),
    in_service_date: nullable(like("2026-01-31")),
    depreciation_method: nullable(like("straight_line")),
    supplier: nullable(like("Example Supplies Ltd")),
    purchase_order: nullable(like("PO-2026-0117")),
    invoice_number: nullable(like("INV-88213")),
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
    rev,
    created_at: nullable(instant()),
    created_by: nullable(like(exampleId("usr"))),
    updated_at: nullable(instant()),
    updated_by: nullable(like(exampleId("usr"))),
  },
  { title: "Asset" },
);

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
