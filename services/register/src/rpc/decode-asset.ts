import type {
  CreateAssetRequest,
  ListAssetsRequest,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { z } from "zod";
import type { AssetFilter } from "../domain/asset.ts";
import { isCalendarDate } from "../domain/calendar.ts";
import { queryPrefixes } from "../domain/search-tokens.ts";
import type { CreateAsset } from "../operations/create-asset.ts";
import { optional, parse, reference, required } from "./parse.ts";

const amount = z
  .bigint()
  .min(0n, "must not be negative")
  .max(BigInt(Number.MAX_SAFE_INTEGER), "is too large")
  .transform(Number)
  .optional();

const methods = [
  "straight_line",
  "declining_balance",
  "sum_of_years_digits",
  "units_of_production",
  "manual",
  "macrs",
] as const;

const orNothing = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === "" || value === 0 ? undefined : value), schema.optional());

// Flat, because callers know the finance fields as the asset's own.
const newAsset = z.object({
  number: optional(limits.code),
  name: required(limits.name),
  description: optional(limits.description),
  categoryId: reference,
  departmentId: reference,
  propertyId: reference,
  buildingId: reference,
  floorId: reference,
  locationId: reference,
  custodianId: reference,
  serialNumber: optional(limits.line),
  manufacturer: optional(limits.line),
  model: optional(limits.line),
  cost: amount,
  salvageValue: amount,
  usefulLifeMonths: orNothing(
    z.number().max(limits.usefulLifeMonths, `must be at most ${limits.usefulLifeMonths}`),
  ),
  inServiceDate: orNothing(z.string().refine(isCalendarDate, "must be a date, YYYY-MM-DD")),
  depreciationMethod: orNothing(z.enum(methods, `must be one of ${methods.join(", ")}`)),
  supplier: optional(limits.line),
  purchaseOrder: optional(limits.line),
  invoiceNumber: optional(limits.line),
});

export function decodeCreateAsset(request: CreateAssetRequest): CreateAsset {
  const { finance } = request;
  const { number, cost, salvageValue, usefulLifeMonths, inServiceDate, ...rest } = parse(newAsset, {
    ...request,
    cost: finance?.cost?.minorUnits,
    salvageValue: finance?.salvageValue?.minorUnits,
    usefulLifeMonths: finance?.usefulLifeMonths,
    inServiceDate: finance?.inServiceDate,
    depreciationMethod: finance?.depreciationMethod,
    supplier: finance?.supplier ?? "",
    purchaseOrder: finance?.purchaseOrder ?? "",
    invoiceNumber: finance?.invoiceNumber ?? "",
  });
  const { depreciationMethod, supplier, purchaseOrder, invoiceNumber, ...fields } = rest;
  return {
    number,
    fields,
    finance: {
      cost,
      salvageValue,
      usefulLifeMonths,
      inServiceDate,
      depreciationMethod,
      supplier,
      purchaseOrder,
      invoiceNumber,
    },
    currencies: [
      { field: "cost", currency: finance?.cost?.currency ?? "" },
      { field: "salvage_value", currency: finance?.salvageValue?.currency ?? "" },
    ],
  };
}

export function decodeAssetFilter(request: ListAssetsRequest): AssetFilter {
  return {
    categoryId: request.categoryId || undefined,
    propertyId: request.propertyId || undefined,
    locationId: request.locationId || undefined,
    statusId: request.statusId || undefined,
    custodianId: request.custodianId || undefined,
    prefixes: queryPrefixes(request.q),
  };
}
