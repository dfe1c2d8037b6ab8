import type {
  RegisterReportSchema,
  ReportRowSchema,
} from "@asset-register/proto/assetregister/register/v1/report_pb";
import { encodeMoney } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Figures, RegisterReport, ReportRow } from "../domain/reports/report.ts";
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

const encodeFigures = ({ count, cost, nbv }: Figures, currency: string) => ({
  count,
  cost: encodeMoney(cost, currency),
  nbv: encodeMoney(nbv, currency),
});
