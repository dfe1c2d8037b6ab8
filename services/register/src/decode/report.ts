import type { LabelFilter } from "@asset-register/proto/assetregister/register/v1/label_pb";
import {
  type ExportRegisterRequest,
  FacetField,
  type GetFacetsRequest,
  type GetRegisterReportRequest,
  type ListReportRowsRequest,
  type ListValuesRequest,
  ReportGrouping,
  ValueGrouping,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { enumNames, field, pageRequest, parse } from "@asset-register/rpc";
import { queryPrefixes } from "@asset-register/runtime";
import { z } from "zod";
import type { AssetFilter } from "../domain/assets/asset.ts";
import { facetFields } from "../domain/reports/facets.ts";
import type { GetFacets } from "../operations/reports/get-facets.ts";
import type { ListReportRows } from "../operations/reports/list-report-rows.ts";
import type { ListValues } from "../operations/reports/list-values.ts";
import { calendarDate } from "./asset.ts";

const request = z.object({ grouping: field.enum(enumNames(ReportGrouping)) });

export function decodeListReportRows(message: ListReportRowsRequest): ListReportRows {
  const { rollup, page } = message;
  const { grouping } = parse(request, message);
  return { grouping, rollup, filter: decodeAssetFilter(message), page: pageRequest(page) };
}

const values = z
  .object({
    by: field.enum(enumNames(ValueGrouping)),
    from: calendarDate.optional(),
    to: calendarDate.optional(),
  })
  .superRefine(({ from, to }, { addIssue }) => {
    if (from !== undefined && to !== undefined && from > to) {
      addIssue({ code: "custom", path: ["to"], message: "must not be before from" });
    }
  });

export function decodeListValues(message: ListValuesRequest): ListValues {
  return { ...parse(values, message), page: pageRequest(message.page) };
}

const facets = z.object({ by: z.array(field.enum(enumNames(FacetField))) });

export function decodeGetFacets(message: GetFacetsRequest): GetFacets {
  const { by } = parse(facets, message);
  const asked = facetFields.filter((one) => by.length === 0 || by.includes(one));
  return { by: asked, filter: decodeAssetFilter(message) };
}

export function decodeAssetFilter(
  message:
    | GetRegisterReportRequest
    | ListReportRowsRequest
    | ExportRegisterRequest
    | GetFacetsRequest
    | LabelFilter,
): AssetFilter {
  const { categoryId, propertyId, locationId, statusId, custodianId, q = "" } = message;
  return { categoryId, propertyId, locationId, statusId, custodianId, prefixes: queryPrefixes(q) };
}
