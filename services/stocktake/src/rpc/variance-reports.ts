import { VarianceReportService } from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import { type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { decodeVarianceFilter } from "../decode/variance.ts";
import { encodeVariance } from "../encode/variance.ts";
import { encodeVarianceReport } from "../encode/variance-report.ts";
import { exportVariances } from "../operations/export-variances.ts";
import { getVarianceReport } from "../operations/get-variance-report.ts";

export function varianceReportService(context: Context): Implementation {
  return implement(VarianceReportService, {
    async getVarianceReport(request, { workspaceId }) {
      const { sessionId, page } = request;
      const query = { filter: decodeVarianceFilter(request), page: pageRequest(page) };
      const report = await getVarianceReport(context, workspaceId, sessionId, query);
      return {
        report: encodeVarianceReport(report),
        rows: report.rows.items.map((row) => encodeVariance(row, report.currency)),
        page: pageInfo(report.rows),
      };
    },

    async *exportVariances({ sessionId }, call) {
      for await (const content of exportVariances(context, sessionId, call)) yield { content };
    },
  });
}
