import { guardCell, unguardCell } from "@asset-register/runtime/csv";
import Papa from "papaparse";
import { type CellFormat, cellFor, formatsOf } from "./cell-format.ts";
import type { CellKind } from "./import-fields.ts";

const EXAMPLES = 3;
/** The content of an example. */
const EXAMPLE_LENGTH = 60;

/** The rows of a file below its header. Empty rows count, so that a row has the number that a spreadsheet shows. */
export type Table = {
  delimiter: string;
  names: string[];
  rows: string[][];
  /** The first row with a quotation mark in a wrong place, which may have taken the rows below it into its cell. */
  brokenRow: number | undefined;
};

/** A column as a person sees it: its name, and the first values. */
export type Column = {
  name: string;
  examples: string[];
  filled: number;
  formats: Record<"decimal" | "date", CellFormat[]>;
};

/** The field of a column, and how its cells are written. */
export type MappedColumn = { index: number; kind: CellKind; format: CellFormat | undefined };

/** Reads a file. Without a delimiter it is the one that fits best. */
export function readTable(text: string, wanted?: string): Table {
  // Excel knows this line, and does not show it.
  const [first = "", named] = /^sep=(.)\r?\n/.exec(text) ?? [];
  // Files that were joined have several ends of lines, and the parser takes only one.
  const lines = text.slice(first.length).replace(/\r\n?/g, "\n");
  const { data, meta, errors } = Papa.parse<string[]>(lines, {
    newline: "\n",
    delimiter: wanted ?? named ?? "",
    delimitersToGuess: [";", ",", "\t", "|"],
  });
  const broken = errors.find(({ type }) => type === "Quotes")?.row;
  while (data.length > 0 && isEmpty(data.at(-1) ?? [])) data.pop();
  const [header = [], ...rows] = data;
  return {
    ...{ delimiter: meta.delimiter, names: namesOf(header), rows },
    brokenRow: broken === undefined ? undefined : broken + 1,
  };
}

const isEmpty = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

/** The names of columns, each one once. A column without a name has its letter, as in a spreadsheet. */
function namesOf(header: readonly string[]): string[] {
  const used = new Set<string>();
  return header.map((cell, index) => {
    // Whole characters, and no space at the end: the API trims the names in the file.
    const name = [...unguardCell(cell).trim()].slice(0, 150).join("").trim() || letterOf(index);
    let unique = name;
    for (let count = 2; used.has(unique); count += 1) unique = `${name} (${count})`;
    used.add(unique);
    return unique;
  });
}

function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last;
}

export function columnsOf({ names, rows }: Table): Column[] {
  return names.map((name, index) => {
    const cells = rows.flatMap((row) => {
      const cell = unguardCell(row[index] ?? "").trim();
      return cell === "" ? [] : [cell];
    });
    const different = new Set<string>();
    for (const cell of cells) {
      if (different.size === EXAMPLES) break;
      different.add(cell.slice(0, EXAMPLE_LENGTH));
    }
    const formats = { decimal: formatsOf(cells, "decimal"), date: formatsOf(cells, "date") };
    return { name, examples: [...different], filled: cells.length, formats };
  });
}

/** The cells of a row that no column of the header has. */
const extraCells = (names: readonly string[], row: readonly string[]): string[] => {
  const extra = row.slice(names.length);
  return isEmpty(extra) ? [] : extra;
};

/**
 * The file for the API: UTF-8 with commas, the columns that have a field, and their cells as the API takes them. A row
 * with more cells than the header keeps them, so that the API refuses it: its values may be in wrong columns.
 */
export function writeImport({ names, rows }: Table, columns: readonly MappedColumn[]): string {
  const cells = (row: readonly string[]): string[] =>
    isEmpty(row)
      ? []
      : [
          ...columns.map(({ index, kind, format }) => cellFor(unguardCell(row[index] ?? ""), kind, format)),
          ...extraCells(names, row),
        ].map(guardCell);
  const header = columns.map(({ index }) => guardCell(names[index] ?? ""));
  // Quoted, so that a sign in the name of a column is not taken for the separator.
  return Papa.unparse([header, ...rows.map(cells)], { quotes: true });
}

/**
 * The rows that fail, in their original columns and order, with the reason of each. A spreadsheet shows its cells as
 * texts and runs none of them.
 *
 * @param reasons by the number of the row, as a spreadsheet counts: the header is row 1
 */
export function writeFailing(
  { delimiter, names, rows }: Table,
  reasons: ReadonlyMap<number, string>,
  reasonName: string,
): string {
  const failing = rows.flatMap((row, index) => {
    const reason = reasons.get(index + 2);
    return reason === undefined
      ? []
      : [[...names.map((_, at) => row[at] ?? ""), reason, ...extraCells(names, row)]];
  });
  const guarded = [[...names, reasonName], ...failing].map((row) =>
    row.map((cell) => guardCell(unguardCell(cell))),
  );
  // Excel reads UTF-8 by this mark.
  return `\ufeff${Papa.unparse(guarded, { delimiter, quotes: true })}\r\n`;
}
