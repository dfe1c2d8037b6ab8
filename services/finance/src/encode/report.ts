import type { DepreciationReportSchema } from "@asset-register/proto/assetregister/finance/v1/depreciation_report_pb";
import { encodeMoney } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DepreciationReport } from "../operations/reports/get-depreciation-report.ts";
import { bookNames } from "./names.ts";

export function encodeReport(report: DepreciationReport): MessageInitShape<typeof DepreciationReportSchema> {
  const { from, to, currency, books, difference, pendingWriteOff } = report;
  const money = (amount: number) => encodeMoney(amount, currency);
  return {
    ...{ from, to },
    books: books.map(({ book, rows, disposals }) => ({
      book: bookNames.encode(book),
      rows: rows.map(({ categoryId, name, ...row }) => ({
        ...{ categoryId, name, charged: money(row.charged), impaired: money(row.impaired) },
        ...{ reversed: money(row.reversed), disposed: money(row.disposed), nbv: money(row.nbv) },
      })),
      disposals: {
        count: disposals.count,
        proceeds: money(disposals.proceeds),
        gainLoss: money(disposals.gainLoss),
      },
    })),
    difference: difference.map(({ categoryId, name, amount }) => ({
      categoryId,
      name,
      amount: money(amount),
    })),
    pendingWriteOff: { ...pendingWriteOff, nbv: money(pendingWriteOff.nbv) },
  };
}
