import type { Actor } from "@asset-register/rpc";
import { numberKey } from "../assets/asset-number.ts";
import type { Columns, IgnoredColumn } from "./columns.ts";
import type { RowInput, RowProblem } from "./row-input.ts";

export type ImportStatus = "validating" | "importing" | "done" | "done_with_errors" | "failed";
export type ImportMode = "all_or_nothing" | "skip_bad";
export type ImportOnExisting = "skip" | "update";
export type ImportReferences = "id" | "code" | "name";

export type ImportOptions = {
  dryRun: boolean;
  mode: ImportMode;
  onExisting: ImportOnExisting;
  references: ImportReferences;
  allowUnnumbered: boolean;
  /** The field of a column by the column's name; "" leaves it out. */
  mapping: [column: string, field: string][];
};

/** The result of a row; in a dry run, the result that it would have. `pending` rows are valid and not imported yet. */
export type ImportRowStatus = "pending" | "created" | "updated" | "unchanged" | "rejected";
export type ImportCounts = Record<Exclude<ImportRowStatus, "pending">, number>;

/** The position in the file, and how it is read. */
export type FilePosition = {
  separator: string;
  /** The byte where the next record begins. */
  offset: number;
  /** The row of the last record, as a spreadsheet counts: the header is row 1. */
  row: number;
  columns: Columns;
  /** The names of the columns. Absent in an import that the release before this one began. */
  names?: string[] | undefined;
};

/** A CSV file whose rows become assets. */
export type Import = ImportOptions & {
  id: string;
  workspaceId: string;
  status: ImportStatus;
  progress: { done: number; total: number };
  fileId: string;
  fileBytes: number;
  counts: ImportCounts;
  /** Of the first rejected rows. */
  problems: (RowProblem & { row: number })[];
  /** Absent before the header was read. */
  position?: FilePosition | undefined;
  ignoredColumns?: IgnoredColumn[] | undefined;
  /** The last row that was imported. */
  importedRow: number;
  createdAt: Date;
  createdBy: Actor;
  requestId: string;
  finishedAt?: Date | undefined;
};

/** A row of the file. */
export type ImportRow = {
  /** The id of the import and the row: the order of rows. */
  id: string;
  workspaceId: string;
  importId: string;
  row: number;
  status: ImportRowStatus;
  assetId?: string | undefined;
  number?: string | undefined;
  problems: RowProblem[];
  /** Of a valid row, until it was imported. */
  input?: ValidInput | undefined;
  expiresAt: Date;
};

/** The values of a valid row, with the ids that its references name. */
export type ValidInput = Pick<RowInput, "number" | "values" | "customFields"> & {
  ids: Record<string, string>;
};

export const MAX_ROWS = 100_000;
/** Problems that the import itself shows. The others are in its rows. */
export const SHOWN_PROBLEMS = 100;
const ROW_DIGITS = 7;
const KEPT_DAYS = 30;

/** The id of a row. Its order is that of the file. */
export const importRowId = (importId: string, row: number): string =>
  `${importId}:${String(row).padStart(ROW_DIGITS, "0")}`;

/** The key of a row's number, by which the rows of one file are compared. */
export const numberRowKey = (number: string): string => `n:${numberKey(number)}`;

/** When a row of an import is removed. */
export const expiryOf = ({ createdAt }: Pick<Import, "createdAt">): Date =>
  new Date(createdAt.getTime() + KEPT_DAYS * 86_400_000);

export const noCounts: ImportCounts = { created: 0, updated: 0, unchanged: 0, rejected: 0 };

/** How many rows have each status. */
export function countRows(rows: readonly Pick<ImportRow, "status">[]): ImportCounts {
  const counts = { ...noCounts };
  for (const { status } of rows) if (status !== "pending") counts[status] += 1;
  return counts;
}

/** The rows in the whole file, estimated from those that were read. */
export function estimateRows(read: number, offset: number, fileBytes: number): number {
  return offset === 0 ? read : Math.max(read, Math.min(MAX_ROWS, Math.round((read * fileBytes) / offset)));
}
