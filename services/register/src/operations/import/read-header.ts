import { invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { hasWrongBytes, textOfCell } from "../../domain/import/cell.ts";
import { columnsOf } from "../../domain/import/columns.ts";
import { formatOf } from "../../domain/import/file-start.ts";
import type { Import } from "../../domain/import/import.ts";
import { firstBytes, openFile } from "./import-files.ts";
import { readRecords } from "./read-records.ts";

/** The header is in the first bytes. */
const FIRST_BYTES = 64 * 1024;

/**
 * Reads the header of a file.
 *
 * @throws AppError VALIDATION_FAILED if the file is no CSV, or a column is unknown or missing
 */
export async function readHeader(
  context: Context,
  record: Import,
  customKeys: ReadonlySet<string>,
): Promise<Pick<Import, "position" | "ignoredColumns">> {
  const { mapping, allowUnnumbered } = record;
  const format = formatOf(await firstBytes(openFile(context, record, 0), FIRST_BYTES));
  if ("problem" in format) throw refused([format.problem]);
  const { separator, start, headerRow } = format;
  const content = openFile(context, record, start);
  const [header] = await readRecords(content, { separator, from: start, row: headerRow - 1, limit: 1 });
  if (header === undefined) throw refused(["The file is empty."]);
  const names = header.cells.map(textOfCell);
  if (names.some(hasWrongBytes)) throw refused(["The header is not UTF-8. Save the file as CSV in UTF-8."]);
  const { columns, ignored, problems } = columnsOf(names, new Map(mapping), customKeys);
  if (!columns.includes("number") && !allowUnnumbered) {
    problems.push('The column "number" is missing. Add it, or allow rows without a number.');
  }
  if (problems.length > 0) throw refused(problems);
  const position = { separator, offset: header.end, row: headerRow, columns, names };
  return { position, ignoredColumns: ignored };
}

const refused = (problems: string[]) =>
  invalid(
    problems.map((message) => ({ field: "file", message })),
    problems.join(" "),
  );
