import type { OpenedFile, Reply, Request } from "./csv-messages.ts";
import { columnsOf, readTable, type Table, writeFailing, writeImport } from "./csv-table.ts";
import { decodeText, otherKindOf } from "./csv-text.ts";
import { MAX_ROWS } from "./import-limits.ts";

/** The file that is open. It stays here, so that 100,000 rows never stop the page. */
let table: Table | undefined;

async function open({
  file,
  encoding: wanted,
  delimiter,
}: Extract<Request, { do: "open" }>): Promise<OpenedFile> {
  table = undefined;
  // A browser does not read a file that was changed or moved after it was chosen.
  const content = await file.arrayBuffer().catch(() => undefined);
  if (content === undefined) return { problem: "unreadable" };
  const bytes = new Uint8Array(content);
  const other = otherKindOf(bytes);
  if (other !== undefined) return { problem: other };
  const { text, encoding } = decodeText(bytes, wanted);
  if (text.includes("\0")) return { problem: "binary" };
  const read = readTable(text, delimiter);
  if (read.rows.length === 0) return { problem: "empty" };
  if (read.rows.length > MAX_ROWS) return { problem: "rows" };
  table = read;
  const { delimiter: found, brokenRow } = read;
  return { encoding, delimiter: found, rows: read.rows.length, columns: columnsOf(read), brokenRow };
}

async function answer(request: Request): Promise<OpenedFile | Blob> {
  if (request.do === "open") return open(request);
  if (table === undefined) throw new Error("No file is open");
  const text =
    request.do === "write"
      ? writeImport(table, request.columns)
      : writeFailing(table, request.reasons, request.reasonName);
  return new Blob([text], { type: "text/csv" });
}

addEventListener("message", ({ data: { id, request } }: MessageEvent<{ id: number; request: Request }>) => {
  const send = (reply: Reply): void => postMessage(reply);
  answer(request).then(
    (value) => send({ id, value }),
    (error: unknown) => send({ id, error: String(error) }),
  );
});
