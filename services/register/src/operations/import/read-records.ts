import { Readable } from "node:stream";
import { invalid } from "@asset-register/runtime";
import { CsvError, type Info, parse } from "csv-parse";

/** A record of the file. `end` is the position of the byte after it, from where reading can continue. */
export type CsvRecord = { cells: string[]; end: number };

/** Longer than any asset. A quote that is never closed would otherwise collect the rest of the file in memory. */
const MAX_RECORD_BYTES = 256 * 1024;

const messages: Partial<Record<CsvError["code"], string>> = {
  CSV_MAX_RECORD_SIZE: `A row is longer than ${MAX_RECORD_BYTES / 1024} KiB. A quote may be missing`,
  CSV_QUOTE_NOT_CLOSED: "A quote is not closed",
};

/**
 * Reads the records of a CSV file, at most `limit`. `content` begins with a record, at the byte `from`. Empty lines are
 * records too, so that their number is that of a spreadsheet.
 *
 * @throws AppError VALIDATION_FAILED if the content is no CSV
 */
export async function readRecords(
  content: AsyncIterable<Uint8Array>,
  { separator, from, limit }: { separator: string; from: number; limit: number },
): Promise<CsvRecord[]> {
  const records: CsvRecord[] = [];
  const source = Readable.from(content, { objectMode: false });
  const parser = parse({
    delimiter: separator,
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
      if (records.length === limit) break;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const problem = messages[error.code] ?? "The file is not a CSV";
    throw invalid(
      [{ field: "file", message: "is not a CSV" }],
      `${problem} (after record ${records.length}).`,
    );
  } finally {
    source.destroy();
    parser.destroy();
  }
  return records;
}
