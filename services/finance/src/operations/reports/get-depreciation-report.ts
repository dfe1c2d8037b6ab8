import type { Call } from "@asset-register/rpc";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Book } from "../../domain/profiles/profile.ts";
import {
  differenceOf,
  type ReportRow,
  reportMonths,
  reportRows,
} from "../../domain/reports/depreciation-report.ts";
import { type Period, periodOf } from "../../domain/schedule/period.ts";
import type { DisposalTotals } from "../../store/disposals/disposals.ts";
import { today } from "../today.ts";

export type ReportQuery = { book?: Book | undefined; from?: Period | undefined; to?: Period | undefined };

export type Named<T> = T & { name?: string | undefined };

export type DepreciationReport = {
  from: Period;
  to: Period;
  currency: string;
  books: { book: Book; rows: Named<ReportRow>[]; disposals: DisposalTotals }[];
  difference: Named<{ categoryId?: string | undefined; amount: number }>[];
  pendingWriteOff: { count: number; nbv: number; assets: string[] };
};

/** Ids of assets in the answer. */
const MAX_ASSETS = 1_000;

/**
 * The amounts booked in a range of months, by category. It reads counters only.
 *
 * @throws AppError VALIDATION_FAILED
 */
export async function getDepreciationReport(
  context: Context,
  { book, ...given }: ReportQuery,
  { workspaceId }: Call,
): Promise<DepreciationReport> {
  const { stores, now } = context;
  const { currency, fiscalYearStart, timeZone } = await requireWorkspace(context, workspaceId);
  const months = reportMonths(given, { month: periodOf(today(now(), timeZone)), fiscalYearStart });
  const names: Book[] = book === undefined ? ["book", "tax"] : [book];
  const books = await Promise.all(
    names.map(async (name) => ({
      book: name,
      rows: reportRows(await stores.bookedAmounts.sums(workspaceId, name, months)),
      disposals: await stores.disposals.totals(workspaceId, name, months),
    })),
  );
  const [first, second] = books;
  const difference = first && second ? differenceOf(first.rows, second.rows) : [];
  const writtenOff = await stores.bookStates.writtenOffTotals(workspaceId);
  const assets = await stores.bookStates.listWrittenOff(workspaceId, MAX_ASSETS);

  const ids = [...books.flatMap(({ rows }) => rows), ...difference].flatMap(
    ({ categoryId }) => categoryId ?? [],
  );
  const categories = await stores.categories.getMany(workspaceId, [...new Set(ids)]);
  const named = <T extends { categoryId?: string | undefined }>(rows: readonly T[]): Named<T>[] =>
    rows
      .map((row) => ({ ...row, name: row.categoryId && categories.get(row.categoryId)?.name }))
      .sort((a, b) => order(a).localeCompare(order(b)));
  return {
    ...{ ...months, currency, difference: named(difference) },
    books: books.map(({ rows, ...one }) => ({ ...one, rows: named(rows) })),
    pendingWriteOff: { ...writtenOff, assets: assets.map(({ id }) => id) },
  };
}

/** By name; a category whose name is unknown after them, and none last. */
const order = ({ categoryId, name }: Named<{ categoryId?: string | undefined }>): string =>
  categoryId === undefined
    ? "2"
    : name === undefined
      ? `1${categoryId}`
      : `0${name.toLowerCase()}${categoryId}`;
