import {
  type ExportRegisterRequest,
  type GetRegisterReportRequest,
  type ListReportRowsRequest,
  ReportGrouping,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { enumNames, field, pageRequest, parse } from "@asset-register/rpc";
import { queryPrefixes } from "@asset-register/runtime";
import { z } from "zod";
import type { AssetFilter } from "../domain/assets/asset.ts";
import type { ListReportRows } from "../operations/reports/list-report-rows.ts";

const request = z.object({ grouping: field.enum(enumNames(ReportGrouping)) });

export function decodeListReportRows(message: ListReportRowsRequest): ListReportRows {
  const { rollup, page } = message;
  const { grouping } = parse(request, message);
  return { grouping, rollup, filter: decodeAssetFilter(message), page: pageRequest(page) };
}

export function decodeAssetFilter(
  message: GetRegisterReportRequest | ListReportRowsRequest | ExportRegisterRequest,
): AssetFilter {
  const { categoryId, propertyId, locationId, statusId, custodianId, q = "" } = message;
  return { categoryId, propertyId, locationId, statusId, custodianId, prefixes: queryPrefixes(q) };
}
