import { ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { type Implementation, implement, pageInfo } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeAssetFilter, decodeListReportRows } from "../decode/report.ts";
import { encodeRegisterReport, encodeReportRow } from "../encode/report.ts";
import { exportRegister } from "../operations/reports/export-register.ts";
import { getRegisterReport } from "../operations/reports/get-register-report.ts";
import { listReportRows } from "../operations/reports/list-report-rows.ts";

export function reportService(context: Context): Implementation {
  return implement(ReportService, {
    async getRegisterReport(request, call) {
      const { report, currency } = await getRegisterReport(context, decodeAssetFilter(request), call);
      return { report: encodeRegisterReport(report, currency) };
    },

    async listReportRows(request, call) {
      const { rows, currency } = await listReportRows(context, decodeListReportRows(request), call);
      return { rows: rows.items.map((row) => encodeReportRow(row, currency)), page: pageInfo(rows) };
    },

    async *exportRegister(request, call) {
      for await (const content of exportRegister(context, decodeAssetFilter(request), call))
        yield { content };
    },
  });
}
