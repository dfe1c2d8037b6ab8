import { MoneySchema } from "@asset-register/proto/assetregister/common/v1/money_pb";
import {
  type CreateAssetRequestSchema,
  FinanceFieldsSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { parseMoney } from "@asset-register/runtime";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import Type from "typebox";
import type { Caller } from "../credentials.ts";
import { body, exampleId, id, line, money, named } from "../http/schemas.ts";

const optional = Type.Optional;

/** The fields that a caller may write; `status_id` is taken and ignored (http.md). */
export const newAssetSchema = body(
  {
    name: named("ThinkPad X1"),
    number: optional(
      Type.String({ minLength: 1, maxLength: limits.code, description: "The next one when left out" }),
    ),
    description: optional(Type.String({ maxLength: limits.description, examples: ["With charger"] })),
    category_id: optional(id("cat")),
    department_id: optional(id("dep")),
    property_id: optional(id("prp")),
    building_id: optional(id("bld")),
    floor_id: optional(id("flr")),
    location_id: optional(id("loc")),
    custodian_id: optional(id("cus")),
    status_id: optional(
      Type.String({ maxLength: limits.id, description: "Ignored: use the status operation" }),
    ),
    serial_number: line(),
    manufacturer: line(),
    model: line(),
    cost: optional(money),
    salvage_value: optional(money),
    useful_life_months: optional(Type.Integer({ minimum: 1, maximum: limits.usefulLifeMonths })),
    in_service_date: optional(Type.String({ format: "date" })),
    depreciation_method: optional(Type.String({ maxLength: 50 })),
    supplier: line(),
    purchase_order: line(),
    invoice_number: line(),
  },
  {
    title: "NewAsset",
    examples: [
      {
        name: "ThinkPad X1",
        category_id: exampleId("cat"),
        location_id: exampleId("loc"),
        serial_number: "PF-3XK7A2",
        cost: 1249.9,
        in_service_date: "2026-01-31",
      },
    ],
  },
);

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
