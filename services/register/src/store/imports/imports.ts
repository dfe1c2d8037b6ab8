import {
  type ClientSession,
  defineWorkRecords,
  embedded,
  embeddedActor,
  failureOf,
  isDuplicateKey,
  type Mongo,
  type WorkDocument,
  type WorkView,
} from "@asset-register/mongo";
import { type AppError, conflict } from "@asset-register/runtime";
import { type Import, type ImportRow, SHOWN_PROBLEMS } from "../../domain/import/import.ts";
import { problemFields } from "./import-rows.ts";

export type ImportDocument = WorkDocument<Import>;

const RUNNING_INDEX = "running";
const working: Import["status"][] = ["validating", "importing"];

export const importRecords = defineWorkRecords<Import>({
  collection: "imports",
  name: "import",
  fields: {
    dryRun: Boolean,
    mode: String,
    onExisting: String,
    references: String,
    allowUnnumbered: Boolean,
    mapping: [[String]],
    fileId: String,
    fileBytes: Number,
    counts: embedded({ created: Number, updated: Number, unchanged: Number, rejected: Number }),
    problems: [embedded({ row: Number, ...problemFields })],
    position: embedded({
      separator: String,
      offset: Number,
      row: Number,
      columns: [String],
      names: [String],
    }),
    ignoredColumns: [embedded({ column: String, reason: String })],
    importedRow: Number,
    createdAt: Date,
    createdBy: embeddedActor(),
    requestId: String,
    finishedAt: Date,
  },
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    // One import of a workspace at a time.
    {
      name: RUNNING_INDEX,
      key: { workspaceId: 1 },
      unique: true,
      partialFilterExpression: { status: { $in: working } },
    },
  ],
});

export type ImportView = WorkView<Import>;

export function createImportStore(mongo: Mongo) {
  const { collection, insert, toRecord } = importRecords.store(mongo);
  const toView = (document: ImportDocument): ImportView => ({
    ...toRecord(document),
    error: failureOf(document),
  });
  return {
    toView,

    async get(workspaceId: string, id: string): Promise<ImportView | undefined> {
      const found = await collection.findOne<ImportDocument>({ workspaceId, _id: id });
      return found === null ? undefined : toView(found);
    },

    /** The import that is running. */
    async runningId(workspaceId: string): Promise<string | undefined> {
      const running = { workspaceId, status: { $in: working } };
      return (await collection.findOne(running, { projection: { _id: 1 } }))?._id;
    },

    /** Which of these blobs a running import reads. */
    async referencedBlobs(workspaceId: string, ids: string[]): Promise<string[]> {
      const running = { workspaceId, status: { $in: working }, fileId: { $in: ids } };
      const found = await collection.find(running, { projection: { fileId: 1 } }).toArray();
      return found.map(({ fileId }) => fileId);
    },

    insert,

    /** Adds what became of rows. */
    async addResults(
      workspaceId: string,
      id: string,
      { counts, problems }: Pick<Import, "counts" | "problems">,
      session: ClientSession,
    ): Promise<void> {
      const { created, updated, unchanged, rejected } = counts;
      await collection.updateOne(
        { workspaceId, _id: id },
        {
          $inc: {
            "counts.created": created,
            "counts.updated": updated,
            "counts.unchanged": unchanged,
            "counts.rejected": rejected,
          },
          $push: { problems: { $each: problems, $slice: SHOWN_PROBLEMS } },
        },
        { session },
      );
    },
  };
}

export const isImportRunning = (error: unknown): boolean => isDuplicateKey(error, RUNNING_INDEX);

export function importRunning(importId: string): AppError {
  const message = `The import ${importId} is running. Wait until it has ended.`;
  return conflict("IMPORT_RUNNING", message, [{ field: "import_id", message: importId }]);
}

/** The problems that the import shows, of rows in their order. */
export const shownProblems = (rows: readonly ImportRow[]): Import["problems"] =>
  rows.flatMap(({ row, problems }) => problems.map((one) => ({ row, ...one }))).slice(0, SHOWN_PROBLEMS);
