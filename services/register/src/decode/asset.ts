import type {
  CreateAssetRequest,
  ListAssetsRequest,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { decodeInstant, field, type PageQuery, pageRequest, parse } from "@asset-register/rpc";
import { z } from "zod";
import { type AssetListFilter, sortOf } from "../domain/asset-list.ts";
import { isCalendarDate } from "../domain/calendar.ts";
import { queryPrefixes } from "../domain/search-tokens.ts";
import { depreciationMethodNames } from "../encode/asset.ts";
import type { CreateAsset } from "../operations/create-asset.ts";

export const calendarDate = z.string().refine(isCalendarDate, "must be a date, YYYY-MM-DD");

const newAsset = z.object({
  number: field.optionalText(limits.code),
  name: field.text(limits.name),
  description: field.optionalText(limits.description),
  categoryId: field.optionalId(),
  departmentId: field.optionalId(),
  propertyId: field.optionalId(),
  buildingId: field.optionalId(),
  floorId: field.optionalId(),
  locationId: field.optionalId(),
  custodianId: field.optionalId(),
  serialNumber: field.optionalText(limits.line),
  manufacturer: field.optionalText(limits.line),
  model: field.optionalText(limits.line),
  cost: field.optionalAmount(),
  salvageValue: field.optionalAmount(),
  usefulLifeMonths: field.integer({ min: 1, max: limits.usefulLifeMonths }).optional(),
  inServiceDate: calendarDate.optional(),
  depreciationMethod: field.optionalEnum(depreciationMethodNames),
  supplier: field.optionalText(limits.line),
  purchaseOrder: field.optionalText(limits.line),
  invoiceNumber: field.optionalText(limits.line),
});

export function decodeCreateAsset({ asset }: CreateAssetRequest): CreateAsset {
  const { number, ...fields } = parse(newAsset, asset ?? {});
  const currencies = [
    { field: "cost", currency: asset?.cost?.currency },
    { field: "salvage_value", currency: asset?.salvageValue?.currency },
  ];
  return { number, fields, currencies };
}

export function decodeListAssets({ page, q = "", ...filter }: ListAssetsRequest): {
  filter: AssetListFilter;
  page: PageQuery;
} {
  const { categoryId, propertyId, locationId, statusId, custodianId, includeDeleted } = filter;
  const updatedSince = decodeInstant(filter.updatedSince);
  const query = pageRequest(page);
  return {
    filter: {
      ...{ categoryId, propertyId, locationId, statusId, custodianId, updatedSince, includeDeleted },
      prefixes: queryPrefixes(q),
    },
    page: { ...query, sort: sortOf(query.sort, updatedSince) },
  };
}
