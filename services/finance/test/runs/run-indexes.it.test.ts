import { openProfiler } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { startFinance } from "../support.ts";
import { Book, newBooks } from "./run-support.ts";

type Row = { _id: string; workspaceId: string } & Record<string, unknown>;

const finance = await startFinance();
const books = await newBooks(finance);
const { workspaceId, runs, viewer } = books;
const [asset = ""] = await books.addAssets(1);
const { id: runId } = await books.draft(1);
const profiler = await openProfiler(finance.mongo.database);
afterAll(async () => {
  await profiler.close();
  await finance.stop();
});
const { db } = profiler;
const { stores } = finance;
const { id: profileId } = await books.profile(asset);

/** Each run has one row in 20, and between them are those of another workspace. */
const rows = (make: (index: number) => object) =>
  Array.from({ length: 4_000 }, (_, index) => ({
    ...{
      _id: `row_${String(index).padStart(5, "0")}`,
      workspaceId: index % 3 === 0 ? "wsp_other" : workspaceId,
    },
    ...{ runId: index % 20 === 1 ? runId : `run_${index % 20}`, ...make(index) },
  }));
const asRow = (document: Row | null) => ({ ...document, _id: undefined });
const run = asRow(await db.collection<Row>("runs").findOne());
const line = asRow(await db.collection<Row>("run_lines").findOne());
await db.collection<Row>("runs").insertMany(
  rows((index) => ({
    ...{ ...run, _id: `row_${index}`, workspaceId: index % 40 === 1 ? workspaceId : "wsp_other" },
    ...{ status: "discarded", book: index % 400 === 1 ? "tax" : "book" },
  })),
);
await db.collection<Row>("run_lines").insertMany(rows((index) => ({ ...line, _id: `row_${index}` })));
for (const name of ["run_skips", "run_warnings", "run_changes"]) {
  await db.collection<Row>(name).insertMany(rows((index) => ({ assetId: `ast_${index}`, reason: "MANUAL" })));
}
await db
  .collection<Row>("ledger")
  .insertMany(rows((index) => ({ profileId: `prf_${index % 300}`, period: "2026-01", kind: "impairment" })));

const page = { limit: 20 };
const list = (request: object) => runs.listRuns({ page, ...request }, viewer);
const lines = (request: object) => runs.listRunLines({ runId, page, ...request }, viewer);

test.each<[string, string, string, () => Promise<unknown>]>([
  ["runs", "runs", "_id: 1", () => list({})],
  ["runs in descending order", "runs", "_id: 1", () => list({ page: { limit: 20, sort: "-id" } })],
  ["runs of a book", "runs", "book: 1, _id: 1", () => list({ book: Book.TAX })],
  ["the live run of a book", "runs", "book: 1", () => stores.runs.findLive(workspaceId, "book")],
  ["lines of a run", "run_lines", "runId: 1, _id: 1", () => lines({})],
  // The id has the run and the asset.
  ["lines of an asset", "run_lines", "_id: 1", () => lines({ assetId: asset })],
  ["skipped assets of a run", "run_skips", "runId: 1, _id: 1", () => lines({ skipped: true })],
  [
    "warnings of a run",
    "run_warnings",
    "runId: 1, _id: 1",
    () => stores.runWarnings.first(workspaceId, runId, 20),
  ],
  [
    "changed assets of a run",
    "run_changes",
    "runId: 1, _id: 1",
    () => stores.runChanges.first(workspaceId, runId, 20),
  ],
  [
    "ledger rows of a profile",
    "ledger",
    "profileId: 1",
    () => stores.ledger.ofProfile(workspaceId, profileId),
  ],
])(
  "%s are read by an index of their filter, in its order, and no more of them than the page",
  async (_name, collection, index, read) => {
    const operations = await profiler.operationsOf(collection, read);
    // The worker looks for what waits at any time, and totals are counts.
    const reads = operations.filter(({ planSummary }) => !planSummary.includes("status: 1, work"));
    expect(reads).not.toEqual([]);
    for (const { planSummary, hasSortStage = false, docsExamined } of reads) {
      expect({ planSummary, hasSortStage }).toEqual({
        planSummary: expect.stringContaining(index),
        hasSortStage: false,
      });
      expect(docsExamined).toBeLessThanOrEqual(page.limit + 1);
    }
  },
);
