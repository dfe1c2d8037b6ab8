import type { GetDepreciationReportRequest } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { bookNames } from "../encode/names.ts";
import type { ReportQuery } from "../operations/reports/get-depreciation-report.ts";

const month = z
  .string()
  .regex(/^(19|[2-9]\d)\d{2}-(0[1-9]|1[0-2])$/, "must be a month, YYYY-MM")
  .optional();

const query = z.object({ book: field.optionalEnum(bookNames), from: month, to: month });

export const decodeReportQuery = (request: GetDepreciationReportRequest): ReportQuery =>
  parse(query, request);
