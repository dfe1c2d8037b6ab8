import {
  VarianceKind,
  VarianceReason,
  VarianceService,
  VarianceStatus,
} from "@asset-register/proto/assetregister/stocktake/v1/variance_pb";
import { VarianceReportService } from "@asset-register/proto/assetregister/stocktake/v1/variance_report_pb";
import { newId } from "@asset-register/runtime";
import { openProfiler } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { createScannedCodeStore } from "../src/store/scanned-codes.ts";
import { newWorkspace, sessionCalls, startStocktake } from "./support.ts";

type Row = { _id: string; workspaceId: string } & Record<string, unknown>;

const stocktake = await startStocktake();
const workspace = await newWorkspace(stocktake);
const { create, openFully } = sessionCalls(stocktake, workspace);
stocktake.register.setScope(workspace.id, 1);
const { id: sessionId } = await create();
await openFully(sessionId);
const profiler = await openProfiler(stocktake.mongo.database);
const { db } = profiler;
// Each session has one row in 40, and between them are those of another workspace.
const rows = (make: (index: number) => object) =>
  Array.from({ length: 8_000 }, (_, index) => ({
    ...{
      _id: `row_${String(index).padStart(5, "0")}`,
      sessionId: index % 40 === 0 ? sessionId : `sts_${index % 40}`,
    },
    ...{ workspaceId: index % 3 === 0 ? "wsp_other" : workspace.id, ...make(index) },
  }));
const session = await db.collection<Row>("sessions").findOne();
const owner = (index: number) => (index % 40 === 1 ? workspace.id : "wsp_other");
await db
  .collection<Row>("sessions")
  .insertMany(rows((index) => ({ ...session, _id: `row_${index}`, workspaceId: owner(index) })));
await db
  .collection<Row>("scans")
  .insertMany(rows((index) => ({ key: `key_${index}`, seq: index, normalised: `code:${index}` })));
// Most assets are found.
const kinds: Record<number, string> = { 1: "missing", 2: "misplaced" };
const reasons = ["lost_asset", "checked_out", undefined];
await db.collection<Row>("variances").insertMany(
  rows((index) => ({
    ...{ subject: `code:${index}`, kind: kinds[index % 11] ?? "found", reason: reasons[(index % 11) % 3] },
    ...{ status: index % 80 === 0 ? "resolved" : "unresolved", obsolete: false, rev: 1 },
  })),
);
await db.collection<Row>("scanned_codes").insertMany(
  rows((index) => ({
    ...{ key: `code:${index}`, canonical: `code:${index}`, scans: 1 },
    ...(index % 80 === 0 && { assetId: `ast_${index}` }),
  })),
);
await db.collection<Row>("expected_assets").insertMany(rows((index) => ({ assetId: `ast_${index}` })));
afterAll(async () => {
  await profiler.close();
  await stocktake.stop();
});

/** The reads of a collection during `run`, without the worker's count of what it works on. */
async function profile(collection: string, run: () => Promise<unknown>) {
  const operations = await profiler.operationsOf(collection, run);
  return operations.filter(({ planSummary }) => !planSummary.includes("workspaceId: 1, status: 1"));
}

const page = { limit: 20 };
const as = workspace.viewer;
const variances = stocktake.client(VarianceService);
const reports = stocktake.client(VarianceReportService);
const locationId = stocktake.register.locations.add(workspace.id, newId("loc"));
const scan = { code: "AR-1", locationId, method: "qr", deviceId: "d1", scannedAt: new Date().toISOString() };

test.each<[string, string, string, () => Promise<unknown>]>([
  ["sessions", "sessions", "_id: 1", () => stocktake.sessions.listSessions({ page }, as)],
  ["scans of a session", "scans", "seq: 1", () => stocktake.scans.listScans({ sessionId, page }, as)],
  [
    "scans that an upload repeats",
    "scans",
    "key: 1",
    () => stocktake.scans.addScans({ sessionId, scans: [scan] }, workspace.auditor),
  ],
  [
    "expected assets of a session",
    "expected_assets",
    "_id: 1",
    () => stocktake.sessions.listExpectedAssets({ sessionId, page }, as),
  ],
  // Their totals are counts, for which any index of the filter will do.
  ...(
    [
      ["", {}],
      [" of a kind", { kind: VarianceKind.MISSING }],
      [" of a status", { status: VarianceStatus.RESOLVED }],
      [" of a kind and a status", { kind: VarianceKind.MISSING, status: VarianceStatus.RESOLVED }],
      [" of a reason", { reason: VarianceReason.LOST_ASSET }],
    ] as const
  ).map(([name, filter]): [string, string, string, () => Promise<unknown>] => [
    `variances of a session${name}`,
    "variances",
    "sessionId: 1",
    () => variances.listVariances({ sessionId, page, ...filter }, as),
  ]),
  ["rows of a report", "variances", "sessionId: 1", () => reports.getVarianceReport({ sessionId, page }, as)],
])(
  "%s are read by an index that ends in their order, and no more of them than the page",
  async (_name, collection, index, run) => {
    const operations = await profile(collection, run);
    expect(operations).not.toEqual([]);
    for (const { planSummary, hasSortStage = false, docsExamined } of operations) {
      expect({ planSummary, hasSortStage }).toEqual({
        planSummary: expect.stringContaining(index),
        hasSortStage: false,
      });
      expect(planSummary).toContain("workspaceId: 1");
      expect(docsExamined).toBeLessThanOrEqual(page.limit + 1);
    }
  },
);

test("a reconcile reads the codes of a page by one index, in the order of its pages", async () => {
  const codes = createScannedCodeStore(stocktake.mongo);
  const operations = await profile("scanned_codes", async () => {
    expect(await codes.listBound(workspace.id, sessionId, "ast_1", 20)).toHaveLength(20);
    expect(await codes.listUnbound(workspace.id, sessionId, "code:1", 20)).toHaveLength(20);
  });
  expect(operations).toHaveLength(2);
  for (const { planSummary, hasSortStage = false, docsExamined } of operations) {
    expect({ planSummary, hasSortStage }).toEqual({
      planSummary: expect.stringContaining("assetId: 1, canonical: 1, _id: 1"),
      hasSortStage: false,
    });
    expect(docsExamined).toBeLessThanOrEqual(20);
  }
});
