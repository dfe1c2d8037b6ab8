import { ReportService } from "@asset-register/proto/assetregister/register/v1/report_pb";
import { type Implementation, implement, pageInfo } from "@asset-register/rpc";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import {
  decodeAssetFilter,
  decodeGetFacets,
  decodeListReportRows,
  decodeListValues,
} from "../decode/report.ts";
import { encodeFacets, encodeRegisterReport, encodeReportRow, encodeValueRow } from "../encode/report.ts";
import { exportRegister } from "../operations/reports/export-register.ts";
import { getFacets } from "../operations/reports/get-facets.ts";
import { getRegisterReport } from "../operations/reports/get-register-report.ts";
import { listReportRows } from "../operations/reports/list-report-rows.ts";
import { listValues } from "../operations/reports/list-values.ts";

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

    async getFacets(request, call) {
      return { facets: encodeFacets(await getFacets(context, decodeGetFacets(request), call)) };
    },

    async listValues(request, call) {
      const { rows, currency, asOf } = await listValues(context, decodeListValues(request), call);
      return {
        rows: rows.items.map((row) => encodeValueRow(row, currency)),
        page: pageInfo(rows),
        asOf: asOf && timestampFromDate(asOf),
      };
    },

    async *exportRegister(request, call) {
      for await (const content of exportRegister(context, decodeAssetFilter(request), call))
        yield { content };
    },
  });
}
