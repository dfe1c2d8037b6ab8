import type {
  AssetFacetsSchema,
  RegisterReportSchema,
  ReportRowSchema,
  ValueRowSchema,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { encodeMoney } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { DailyValue } from "../domain/reports/daily-value.ts";
import type { Figures, RegisterReport, ReportRow } from "../domain/reports/report.ts";
import type { Facets } from "../operations/reports/get-facets.ts";
import { statusClassNames } from "./asset.ts";

export function encodeRegisterReport(
  report: RegisterReport,
  currency: string,
): MessageInitShape<typeof RegisterReportSchema> {
  const { byStatus, byClass, accumulated, withoutCost, disposed } = report;
  return {
    ...encodeFigures(report, currency),
    accumulated: encodeMoney(accumulated, currency),
    byStatus: byStatus.map((row) => ({
      ...{ id: row.id, name: row.name, class: statusClassNames.encode(row.class) },
      ...encodeFigures(row, currency),
    })),
    byClass: byClass.map((row) => ({
      class: statusClassNames.encode(row.class),
      ...encodeFigures(row, currency),
    })),
    withoutCost,
    disposed: { count: disposed.count },
  };
}

export const encodeReportRow = (
  { id, name, ...figures }: ReportRow,
  currency: string,
): MessageInitShape<typeof ReportRowSchema> => ({ id, name, ...encodeFigures(figures, currency) });

export const encodeValueRow = (
  { date, categoryId, movements, ...figures }: DailyValue,
  currency: string,
): MessageInitShape<typeof ValueRowSchema> => ({
  ...{ date, categoryId, movements },
  ...encodeFigures(figures, currency),
});

const encodeFigures = ({ count, cost, nbv }: Figures, currency: string) => ({
  count,
  cost: encodeMoney(cost, currency),
  nbv: encodeMoney(nbv, currency),
});

export const encodeFacets = ({ facets, asOf }: Facets): MessageInitShape<typeof AssetFacetsSchema> => ({
  ...facets,
  tooMany: facets === undefined,
  asOf: asOf && timestampFromDate(asOf),
});
