import { DepreciationReportService } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeReportQuery } from "../decode/report.ts";
import { encodeReport } from "../encode/report.ts";
import { getDepreciationReport } from "../operations/reports/get-depreciation-report.ts";

export function depreciationReportService(context: Context): Implementation {
  return implement(DepreciationReportService, {
    async getDepreciationReport(request, call) {
      return { report: encodeReport(await getDepreciationReport(context, decodeReportQuery(request), call)) };
    },
  });
}
