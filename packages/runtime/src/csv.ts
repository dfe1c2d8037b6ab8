/**
 * A cell that a spreadsheet could run as a formula (OWASP, CSV injection): it begins with = + - @, tab, CR or LF, or
 * with a full-width or small form of these, also behind white space and invisible characters. An apostrophe before
 * them counts too, so that `unguardCell` restores every text.
 */
const FORMULA = /^'*[\s\p{Z}\p{C}]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]/u;

/** A cell of a CSV file; absent ones are empty. */
export type CsvCell = string | number | undefined;

/** The text of a cell as an export shows it: an apostrophe before what a spreadsheet could run as a formula. */
export function guardCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The text that `guardCell` was given. */
export function unguardCell(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
}

/** One line of a CSV file (RFC 4180) with its CRLF. Every cell is guarded and quoted. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

function quoted(cell: CsvCell): string {
  if (cell === undefined || cell === "") return '""';
  const text = guardCell(String(cell));
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}

/** The messages of a stream have at most this size (architecture.md, Contracts). */
const CHUNK_BYTES = 65_536;

/**
 * A CSV file in UTF-8 as chunks of at most 64 KiB. It is written as fast as its reader reads, and keeps no more than one
 * batch of rows.
 */
export async function* csvChunks(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): AsyncGenerator<Uint8Array> {
  let pending = csvLine(header);
  for await (const rows of batches) {
    for (const row of rows) {
      pending += csvLine(row);
      if (pending.length < CHUNK_BYTES) continue;
      yield* slices(pending);
      pending = "";
    }
  }
  yield* slices(pending);
}

function* slices(text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
