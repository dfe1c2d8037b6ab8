import {
  ExportVariancesRequestSchema,
  GetVarianceReportRequestSchema,
  VarianceReportService,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, forward } from "../http/context.ts";
import { csvDownload, csvFile } from "../http/csv-download.ts";
import { expansionOf } from "../http/expand/expansion.ts";
import { requestMessage } from "../http/request-message.ts";
import { declared } from "../http/routes.ts";
import { exampleId, id, pageQueryB, toPageB } from "../http/schemas.ts";
import { presentVarianceReport, varianceFilters, varianceReportSchema } from "../resources/variance.ts";
import type { Surface } from "../surface.ts";

const access = { capability: "view" } as const;
const { getVarianceReport, exportVariances } = VarianceReportService.method;

const exported = Type.Object({ session_id: { ...id("sts", "The session"), minLength: 1 } });
const reportQuery = { ...pageQueryB, ...varianceFilters };
type ReportQuery = Type.Static<Type.TObject<typeof reportQuery>> & { expand?: string[] };
const toReport = requestMessage(GetVarianceReportRequestSchema, Type.Object(varianceFilters));
const toExport = requestMessage(ExportVariancesRequestSchema, exported);
const exampleCsv = `"session_id","session","kind"\r\n"${exampleId("sts")}","Spring 2026","missing"\r\n`;

/** The variances of a stock-take session, as a report and as a file. At most two of a workspace run at once. */
export const varianceReports: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const expansion = expansionOf(clients, varianceReportSchema);
  app.get<{ Params: { sessionId: string }; Querystring: ReportQuery }>(
    "/reports/variance/:sessionId",
    {
      config: { ...declared(access, getVarianceReport, ...expansion.rpcs), heavy: true },
      schema: {
        summary: "Report the variances of a stock-take session",
        description:
          "The figures, and a page of the rows. Rows of the kind `found` are left out unless `kind` is `found`. The report of a closed session never changes.",
        params: Type.Object({ sessionId: id("sts") }),
        querystring: Type.Object({ ...reportQuery, ...expansion.query }),
        response: { 200: varianceReportSchema },
      },
    },
    async (request, reply) => {
      const { sessionId } = request.params;
      const { kind, status, reason } = toReport(request.query);
      const message = { sessionId, kind, status, reason, page: toPageB(request.query) };
      const options = forward(request, reply);
      const answer = await clients.varianceReports.getVarianceReport(message, options);
      const report = presentVarianceReport(answer, callerOf(request).currencyDigits);
      const { expand } = request.query;
      if (expand !== undefined) await expansion.addNames(report, expand, options);
      return report;
    },
  );

  app.get(
    "/export/variance.csv",
    {
      config: { ...declared(access, exportVariances), heavy: true },
      schema: {
        summary: "Export the variances of a stock-take session as CSV",
        description:
          "UTF-8, one line for each variance in order of id. Every field is quoted. A field that a spreadsheet could run as a formula begins with an apostrophe. If the export fails, the connection is reset.",
        querystring: exported,
        response: { 200: csvFile(exampleCsv) },
      },
    },
    (request, reply) =>
      csvDownload(request, reply, {
        filename: "variance.csv",
        open: (options) => clients.varianceReports.exportVariances(toExport(request.query), options),
      }),
  );
};
