import {
  ExportRegisterRequestSchema,
  ReportGrouping,
  ReportService,
  ValueGrouping,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { enumNames } from "@asset-register/rpc";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { csvDownload, csvFile } from "../http/csv-download.ts";
import { readRoutes } from "../http/read-routes.ts";
import { requestMessage } from "../http/request-message.ts";
import { declared } from "../http/routes.ts";
import { exampleId, idFilter, instant } from "../http/schemas.ts";
import { assetFilters } from "../resources/asset-list.ts";
import { registerReport, reportRow, valueRow } from "../resources/report.ts";
import type { Surface } from "../surface.ts";

const access = { capability: "view" } as const;
const filters = Type.Object({ ...assetFilters, property_id: idFilter("prp") });
const day = (description: string) =>
  Type.Optional(Type.String({ format: "date", description, examples: ["2026-01-31"] }));
const rollup = {
  rollup: Type.Optional(
    Type.Boolean({ description: "Adds to each record the assets of the records below it" }),
  ),
};

const toExport = requestMessage(ExportRegisterRequestSchema, filters);
const exampleCsv = `"id","number","name"\r\n"${exampleId("ast")}","AST-000042","ThinkPad X1"\r\n`;

/** Reports and exports of the register. Two of a workspace run at once. */
export const reports: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { getRegisterReport, listReportRows, exportRegister } = ReportService.method;
  const { list, get } = readRoutes(app, clients, "b");

  get("/reports/register", {
    summary: "Report number and value of the assets",
    description: "Without deleted and disposed assets.",
    access,
    heavy: true,
    rpc: getRegisterReport,
    record: registerReport,
    query: filters.properties,
  });

  const rowsBy = (
    name: string,
    grouping: ReportGrouping,
    record: ReturnType<typeof reportRow>,
    query: Type.TProperties = {},
  ): void =>
    list(`/reports/by-${name}`, {
      summary: `Report number and value of the assets by ${name}`,
      access,
      heavy: true,
      rpc: listReportRows,
      record,
      request: { grouping },
      query: { ...filters.properties, ...query },
    });
  rowsBy("location", ReportGrouping.LOCATION, reportRow("loc", "LocationReportRow"), rollup);
  rowsBy("custodian", ReportGrouping.CUSTODIAN, reportRow("cus", "CustodianReportRow"));
  rowsBy("category", ReportGrouping.CATEGORY, reportRow("cat", "CategoryReportRow"), rollup);

  list("/reports/value", {
    summary: "Report number, value and movements of the assets over time",
    access,
    rpc: ReportService.method.listValues,
    record: valueRow,
    query: {
      by: Type.Enum([...enumNames(ValueGrouping).names], {
        default: "day",
        description:
          "A row for each day, for the last day of each month, or for each day and category. A row shows what the register showed on that day: later postings do not change it. Days before the first row have none.",
      }),
      from: day("The first day"),
      to: day("The last day; today by default"),
    },
    also: {
      as_of: Type.Optional(
        instant(
          "When today's row was counted, at most once an hour. Absent if today is not one of the days.",
        ),
      ),
    },
  });

  app.get(
    "/export/register.csv",
    {
      config: { ...declared(access, exportRegister), heavy: true },
      schema: {
        summary: "Export the register as CSV",
        description:
          "UTF-8, one line for each asset, disposed ones too, in order of id. Every field is quoted. A field that a spreadsheet could run as a formula begins with an apostrophe. If the export fails, the connection is reset.",
        querystring: filters,
        response: { 200: csvFile(exampleCsv) },
      },
    },
    (request, reply) =>
      csvDownload(request, reply, {
        filename: "register.csv",
        open: (options) => clients.reports.exportRegister(toExport(request.query), options),
      }),
  );
};
