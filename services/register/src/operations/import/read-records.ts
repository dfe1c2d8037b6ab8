import { Readable } from "node:stream";
import { invalid } from "@asset-register/runtime";
import { CsvError, type Info, parse } from "csv-parse";

/** A record of the file. `end` is the position of the byte after it, from where reading can continue. */
export type CsvRecord = { cells: string[]; end: number };

/** Longer than any asset. A quote that is never closed would otherwise collect the rest of the file in memory. */
const MAX_RECORD_BYTES = 256 * 1024;

/** Of the records of one step, which are in memory. */
const MAX_STEP_BYTES = 8 * 1024 * 1024;

/** Files that were joined have several. The parser alone would take the first one that it meets. */
const LINE_ENDS = ["\r\n", "\n", "\r"];

const messages: Partial<Record<CsvError["code"], (row: number) => string>> = {
  CSV_MAX_RECORD_SIZE: (row) =>
    `Row ${row} is longer than ${MAX_RECORD_BYTES / 1024} KiB. A quote may be missing.`,
  CSV_QUOTE_NOT_CLOSED: (row) => `A quote in row ${row} is not closed.`,
};

type Reading = {
  separator: string;
  /** The byte at which the content begins. */
  from: number;
  /** The row before it. */
  row: number;
  limit: number;
};

/**
 * Reads the records of a CSV file, at most `limit` and about 8 MiB. `content` begins with a record. Empty lines are records too, so that
 * their number is that of a spreadsheet.
 *
 * @throws AppError VALIDATION_FAILED that names the row, if the content is no CSV
 */
export async function readRecords(
  content: AsyncIterable<Uint8Array>,
  { separator, from, row, limit }: Reading,
): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  const source = Readable.from(content, { objectMode: false });
  const parser = parse({
    delimiter: separator,
    record_delimiter: LINE_ENDS,
    info: true,
    // People write inches: 5" pipe.
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
  });
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      records.push({ cells: record, end: from + info.bytes });
      if (records.length === limit || info.bytes > MAX_STEP_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = row + Number(error.records) + 1;
    const message = messages[error.code]?.(at) ?? `Row ${at} is not CSV.`;
    throw invalid([{ field: "file", message: "is not a CSV" }], message);
  } finally {
    source.destroy();
    parser.destroy();
  }
  return records;
}
