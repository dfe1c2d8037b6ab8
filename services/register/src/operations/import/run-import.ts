import { type Chunk, createLongWork, type LongWork } from "@asset-register/mongo";
import { AppError, unavailable } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { countRows, estimateRows, type Import, MAX_ROWS, numberRowKey } from "../../domain/import/import.ts";
import { type ImportDocument, importRecords, shownProblems } from "../../store/imports/imports.ts";
import type { Creation } from "../assets/judge-new-assets.ts";
import { reserveNumbers } from "../assets/next-asset-number.ts";
import { getDefaultStatus } from "../assets/statuses.ts";
import { invalidFile, openFile } from "./import-files.ts";
import { importRows } from "./import-rows.ts";
import { readHeader } from "./read-header.ts";
import { readRecords } from "./read-records.ts";
import { validateRows } from "./validate-rows.ts";

/** Records that one step validates, and rows that one transaction imports. */
type ChunkSizes = { validated: number; imported: number };

const CHUNK_SIZES: ChunkSizes = { validated: 1_000, imported: 200 };

/** How the work differs in tests. */
export type ImportSettings = { leaseMs?: number; chunkSizes?: ChunkSizes };

type ImportChunk = Chunk<ImportDocument>;

/** Validates the rows of a file and imports them, chunk by chunk. */
export function createImporting(
  context: Context,
  { leaseMs, chunkSizes = CHUNK_SIZES }: ImportSettings = {},
): LongWork<ImportDocument> {
  return createLongWork<ImportDocument>({
    ...{ ...context, collection: importRecords.collection, leaseMs },
    // Importing has no failure by content: rows are refused one by one.
    statuses: { validating: { failed: "failed" }, importing: { failed: "importing" } },
    step: (document) => runImport(context, document, chunkSizes),
    failed: () => ({ set: { finishedAt: context.now() } }),
  });
}

async function runImport(
  context: Context,
  document: ImportDocument,
  { validated, imported }: ChunkSizes,
): Promise<ImportChunk> {
  const record = context.stores.imports.toView(document);
  const { workspaceId } = record;
  const { currency, numberPrefix } = await requireActive(context, workspaceId);
  const status = await getDefaultStatus(context, workspaceId);
  const creation: Creation = { workspaceId, status, currency };
  if (record.status === "importing") return importNext(context, record, creation, numberPrefix, imported);
  if (record.position === undefined) return readColumns(context, record);
  return validateNext(context, record, creation, validated);
}

async function readColumns(context: Context, record: Import): Promise<ImportChunk> {
  const fields = await context.stores.customFields.getAll(record.workspaceId);
  const header = await readHeader(context, record, new Set(fields.map(({ key }) => key)));
  return { progress: { done: 0, total: 0 }, set: header };
}

async function validateNext(
  context: Context,
  record: Import,
  creation: Creation,
  limit: number,
): Promise<ImportChunk> {
  const { stores } = context;
  const { id, workspaceId, fileBytes, position, progress } = record;
  if (position === undefined) throw new Error("the header was not read");
  const { separator, offset, row } = position;
  const content = openFile(context, record, offset);
  const records = await readRecords(content, { separator, from: offset, row, limit });
  const last = records.at(-1);
  if (last === undefined) return endValidation(context, record);
  const rows = records
    .map(({ cells }, index) => ({ cells, row: row + 1 + index }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  const done = progress.done + rows.length;
  if (done > MAX_ROWS) throw invalidFile(`The file has more than ${MAX_ROWS} rows.`);
  const validated = await validateRows(context, creation, record, rows);
  return {
    progress: { done, total: estimateRows(done, last.end, fileBytes) },
    set: { position: { ...position, offset: last.end, row: row + records.length } },
    save: async (session) => {
      await stores.importRows.insertMany(workspaceId, validated, session);
      const results = { counts: countRows(validated), problems: shownProblems(validated) };
      await stores.imports.addResults(workspaceId, id, results, session);
    },
  };
}

/** A chunk adds its counts after the record was read for the next step. */
async function rejectedRows({ stores }: Context, { workspaceId, id }: Import): Promise<number> {
  return (await stores.imports.get(workspaceId, id))?.counts.rejected ?? 0;
}

async function endValidation(context: Context, record: Import): Promise<ImportChunk> {
  const { id, workspaceId, progress, mode, dryRun } = record;
  const { done } = progress;
  if (done === 0) throw invalidFile("The file has no rows.");
  // Until this is saved, another process may have to read the file again: the sweep removes it.
  if (dryRun) return ended(context, record, "done");
  const rejected = await rejectedRows(context, record);
  if (mode === "all_or_nothing" && rejected > 0) {
    const rows = rejected === 1 ? "1 row is" : `${rejected} rows are`;
    throw invalidFile(`${rows} invalid. Nothing was imported.`);
  }
  const total = await context.stores.importRows.countPending(workspaceId, id);
  return { status: "importing", progress: { done: 0, total } };
}

async function importNext(
  context: Context,
  record: Import,
  creation: Creation,
  prefix: string,
  limit: number,
): Promise<ImportChunk> {
  const { stores, blobs } = context;
  const { id, workspaceId, importedRow, progress } = record;
  const rows = await stores.importRows.listPending(workspaceId, id, importedRow, limit);
  const last = rows.at(-1);
  if (last === undefined) {
    // All rows are in the database.
    await blobs.remove(workspaceId, record.fileId);
    return ended(context, record, (await rejectedRows(context, record)) > 0 ? "done_with_errors" : "done");
  }
  const unnumbered = rows.filter(({ input }) => input?.number === undefined).length;
  const numbers = await freeNumbers(context, record, prefix, unnumbered);
  return {
    progress: { done: progress.done + rows.length, total: progress.total },
    set: { importedRow: last.row },
    save: (session) => importRows(context, { record, creation, rows, numbers }, session).catch(retried),
  };
}

/** Numbers for rows without one, which no other row of the file has: that row would take their asset for its own. */
async function freeNumbers(
  context: Context,
  { id, workspaceId }: Import,
  prefix: string,
  count: number,
): Promise<string[]> {
  const free: string[] = [];
  while (free.length < count) {
    const block = await reserveNumbers(context, workspaceId, prefix, count - free.length, true);
    const given = await context.stores.importRows.rowsWithKeys(workspaceId, id, block.map(numberRowKey));
    free.push(...block.filter((number) => !given.has(numberRowKey(number))));
  }
  return free;
}

const ended = ({ now }: Context, { progress }: Import, status: Import["status"]): ImportChunk => ({
  ...{ status, progress },
  set: { finishedAt: now() },
});

/** Another write took a number or a value at the same moment. The next attempt refuses the row. */
function retried(error: unknown): never {
  if (error instanceof AppError && error.kind !== "conflict") throw error;
  if (error instanceof AppError) throw unavailable("Another write came first.", 0, error);
  throw error;
}
