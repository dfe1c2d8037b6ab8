import { type FieldViolation, invalid } from "@asset-register/runtime";
import type { BookedKind, BookedSum } from "../ledger/booked-value.ts";
import { fiscalYearOf, later, type Period } from "../schedule/period.ts";

/** The amounts booked for the assets of a category in a range of months. Amounts are minor units. */
export type ReportRow = {
  categoryId?: string | undefined;
  /** Charges, with those up to the date of a disposal. */
  charged: number;
  impaired: number;
  /** Charges for months after a disposal, given back. */
  reversed: number;
  /** The NBV that disposals took out. */
  disposed: number;
  /** At the end of the last month. */
  nbv: number;
};

type Column = "charged" | "impaired" | "reversed" | "disposed";

/** The column of a figure, and its sign there. */
const columns: Record<Exclude<BookedKind, "value">, [column: Column, sign: 1 | -1]> = {
  charge: ["charged", 1],
  disposal: ["charged", 1],
  impairment: ["impaired", 1],
  reversal: ["reversed", -1],
  taken_out: ["disposed", 1],
};

/**
 * The months of a report, both included: by default the fiscal year so far.
 *
 * @throws AppError VALIDATION_FAILED if it ends before it begins
 */
export function reportMonths(
  given: { from?: Period | undefined; to?: Period | undefined },
  { month, fiscalYearStart }: { month: Period; fiscalYearStart: number },
): { from: Period; to: Period } {
  const to = given.to ?? later(month, given.from);
  const from = given.from ?? fiscalYearOf(to, fiscalYearStart);
  if (from <= to) return { from, to };
  const violation: FieldViolation = { field: "to", message: "must not be before from" };
  throw invalid([violation]);
}

/** The rows of a book, of the sums of all months up to the last one. Rows without any figure are left out. */
export function reportRows(booked: Iterable<BookedSum>): ReportRow[] {
  const rows = new Map<string | undefined, ReportRow>();
  for (const { categoryId, kind, isBefore, amount } of booked) {
    const row = rows.get(categoryId) ?? {
      categoryId,
      charged: 0,
      impaired: 0,
      reversed: 0,
      disposed: 0,
      nbv: 0,
    };
    rows.set(categoryId, row);
    row.nbv += kind === "value" ? amount : -amount;
    if (kind === "value" || isBefore) continue;
    const [column, sign] = columns[kind];
    row[column] += sign * amount;
  }
  const hasFigure = ({ categoryId: _, ...figures }: ReportRow) =>
    Object.values(figures).some((value) => value !== 0);
  return [...rows.values()].filter(hasFigure);
}

/** NBV of the first book less that of the second one, by category. */
export function differenceOf(
  book: readonly ReportRow[],
  tax: readonly ReportRow[],
): { categoryId?: string | undefined; amount: number }[] {
  const amounts = new Map<string | undefined, number>();
  for (const { categoryId, nbv } of book) amounts.set(categoryId, nbv);
  for (const { categoryId, nbv } of tax) amounts.set(categoryId, (amounts.get(categoryId) ?? 0) - nbv);
  return [...amounts].map(([categoryId, amount]) => ({ categoryId, amount }));
}
