import type { Outbox } from "@asset-register/events";
import { type Chunk, createLongWork, type LongWork, type Mongo, type Step } from "@asset-register/mongo";
import { AppError, type Logger, type Metrics, unavailable } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Stores } from "../../context.ts";
import { countRows, estimateRows, type Import, MAX_ROWS, numberRowKey } from "../../domain/import/import.ts";
import { type ImportDocument, importRecords, shownProblems } from "../../store/imports.ts";
import type { Creation } from "../judge-new-assets.ts";
import { reserveNumbers } from "../next-asset-number.ts";
import { getDefaultStatus } from "../statuses.ts";
import { type ImportFiles, invalidFile } from "./import-files.ts";
import { importRows } from "./import-rows.ts";
import { readHeader } from "./read-header.ts";
import { readRecords } from "./read-records.ts";
import { validateRows } from "./validate-rows.ts";

export type ImportParts = {
  mongo: Mongo;
  stores: Stores;
  outbox: Outbox;
  files: ImportFiles;
  logger: Logger;
  metrics: Metrics;
  now(): Date;
};

/** How the waiting times of the work differ in tests. */
export type ImportSettings = { leaseMs?: number };

type ImportChunk = Chunk<ImportDocument>;

/** Records that one step validates. */
const VALIDATED = 1_000;
/** Rows that one transaction imports. */
const IMPORTED = 200;

/** Validates the rows of a file and imports them, chunk by chunk. */
export function createImporting(
  parts: ImportParts,
  { leaseMs }: ImportSettings = {},
): LongWork<ImportDocument> {
  const { mongo, stores, files, logger, metrics, now } = parts;

  const step: Step<ImportDocument> = async (document) => {
    const record = stores.imports.toView(document);
    const { currency, numberPrefix } = await requireActive(parts, record.workspaceId);
    const status = await getDefaultStatus(parts, record.workspaceId);
    const { workspaceId, createdBy: actor } = record;
    const creation: Creation = { workspaceId, actor, status, currency };
    if (record.status === "importing") return importNext(record, creation, numberPrefix);
    if (record.position === undefined) return begin(record);
    return validateNext(record, creation);
  };

  async function begin(record: Import): Promise<ImportChunk> {
    const fields = await stores.customFields.getAll(record.workspaceId);
    const header = await readHeader(files, record, new Set(fields.map(({ key }) => key)));
    return { progress: { done: 0, total: 0 }, set: header };
  }

  async function validateNext(record: Import, creation: Creation): Promise<ImportChunk> {
    const { id, workspaceId, fileId, fileBytes, position, progress } = record;
    if (position === undefined) throw new Error("the header was not read");
    const { separator, offset, row } = position;
    const content = files.open(workspaceId, fileId, offset);
    const records = await readRecords(content, { separator, from: offset, row, limit: VALIDATED });
    const last = records.at(-1);
    if (last === undefined) return endValidation(record);
    const rows = records
      .map(({ cells }, index) => ({ cells, row: row + 1 + index }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
    const done = progress.done + rows.length;
    if (done > MAX_ROWS) throw invalidFile(`The file has more than ${MAX_ROWS} rows.`);
    const validated = await validateRows(parts, creation, record, rows);
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
  async function rejectedRows({ workspaceId, id }: Import): Promise<number> {
    return (await stores.imports.get(workspaceId, id))?.counts.rejected ?? 0;
  }

  async function endValidation(record: Import): Promise<ImportChunk> {
    const { id, workspaceId, progress, mode, dryRun } = record;
    const { done } = progress;
    if (done === 0) throw invalidFile("The file has no rows.");
    // Until this is saved, another process may have to read the file again: the sweep removes it.
    if (dryRun) return ended(record, "done");
    const rejected = await rejectedRows(record);
    if (mode === "all_or_nothing" && rejected > 0) {
      const rows = rejected === 1 ? "1 row is" : `${rejected} rows are`;
      throw invalidFile(`${rows} invalid. Nothing was imported.`);
    }
    const total = await stores.importRows.countPending(workspaceId, id);
    return { status: "importing", progress: { done: 0, total } };
  }

  async function importNext(record: Import, creation: Creation, prefix: string): Promise<ImportChunk> {
    const { id, workspaceId, importedRow, progress } = record;
    const rows = await stores.importRows.listPending(workspaceId, id, importedRow, IMPORTED);
    const last = rows.at(-1);
    if (last === undefined) {
      // All rows are in the database.
      await files.remove(workspaceId, record.fileId);
      return ended(record, (await rejectedRows(record)) > 0 ? "done_with_errors" : "done");
    }
    const unnumbered = rows.filter(({ input }) => input?.number === undefined).length;
    const numbers = await freeNumbers(record, prefix, unnumbered);
    return {
      progress: { done: progress.done + rows.length, total: progress.total },
      set: { importedRow: last.row },
      save: (session) => importRows(parts, { record, creation, rows, numbers }, session).catch(retried),
    };
  }

  /** Numbers for rows without one, which no other row of the file has: that row would take their asset for its own. */
  async function freeNumbers({ id, workspaceId }: Import, prefix: string, count: number): Promise<string[]> {
    const free: string[] = [];
    while (free.length < count) {
      const block = await reserveNumbers(parts, workspaceId, prefix, count - free.length, true);
      const given = await stores.importRows.rowsWithKeys(workspaceId, id, block.map(numberRowKey));
      free.push(...block.filter((number) => !given.has(numberRowKey(number))));
    }
    return free;
  }

  const ended = ({ progress }: Import, status: Import["status"]): ImportChunk => ({
    ...{ status, progress },
    set: { finishedAt: now() },
  });

  return createLongWork<ImportDocument>({
    ...{ mongo, collection: importRecords.collection, step, logger, metrics, leaseMs },
    // Importing has no failure by content: rows are refused one by one.
    statuses: { validating: { failed: "failed" }, importing: { failed: "importing" } },
    failed: () => ({ set: { finishedAt: now() } }),
  });
}

/** Another write took a number or a value at the same moment. The next attempt refuses the row. */
function retried(error: unknown): never {
  if (error instanceof AppError && error.kind !== "conflict") throw error;
  if (error instanceof AppError) throw unavailable("Another write came first.", 0, error);
  throw error;
}
