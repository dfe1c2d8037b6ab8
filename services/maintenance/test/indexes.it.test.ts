import { openProfiler } from "@asset-register/service-harness";
import { afterAll, expect, test } from "vitest";
import { createAttachmentStore } from "../src/store/attachments.ts";
import { createContractStore } from "../src/store/contracts.ts";
import { createDueRowStore, dueRowRecords } from "../src/store/due-rows.ts";
import { createWorkOrderStore } from "../src/store/work-orders.ts";
import { newWorkspace, startMaintenance } from "./support.ts";

type Row = { _id: string; workspaceId: string } & Record<string, unknown>;

const maintenance = await startMaintenance();
const { id: workspaceId } = await newWorkspace(maintenance);
const profiler = await openProfiler(maintenance.mongo.database);
afterAll(async () => {
  await profiler.close();
  await maintenance.stop();
});

const insert = (collection: string, count: number, make: (index: number) => object) =>
  profiler.db.collection<Row>(collection).insertMany(
    Array.from({ length: count }, (_, index) => ({
      ...{ _id: `row_${String(index).padStart(6, "0")}`, workspaceId, assetId: `ast_${index % 40}` },
      ...make(index),
    })),
    { ordered: false },
  );
const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + (index % 1_000))).toISOString().slice(0, 10);

test("due lists on 100,000 due rows are read by their index, in its order, and read only the rows of the page", async () => {
  await insert(dueRowRecords.collection, 100_000, (index) => ({
    ...{ assetId: `ast_${index}`, pmScheduleId: `pms_${index % 20}`, nextDueOn: day(index) },
    ...{ calibration: index % 10 === 0, metered: false },
    // Each hundredth schedule is past its last day.
    endsOn: index % 100 === 1 ? "2026-01-31" : "9999-12-31",
  }));
  const store = createDueRowStore(maintenance.mongo);
  const filter = { calibration: false, until: "2027-12-31", today: "2026-06-01", days: 3_650 };
  const keys: string[] = [];
  const operations = await profiler.operationsOf(dueRowRecords.collection, async () => {
    const first = await store.listDue(workspaceId, filter, { page: 1, limit: 50 });
    const second = await store.listDue(workspaceId, filter, { page: 1, limit: 50, cursor: first.nextCursor });
    keys.push(...[...first.items, ...second.items].map(({ nextDueOn, id }) => `${nextDueOn} ${id}`));
  });
  expect(keys).toEqual(keys.toSorted());
  expect(new Set(keys).size).toBe(100);
  const pages = operations.filter(({ nreturned = 0 }) => nreturned >= 50);
  expect(pages).toHaveLength(2);
  for (const { planSummary, hasSortStage, docsExamined, keysExamined } of pages) {
    expect(planSummary).toContain("workspaceId: 1, calibration: 1, nextDueOn: 1");
    expect(hasSortStage ?? false).toBe(false);
    expect(docsExamined).toBeLessThanOrEqual(51);
    // Rows of schedules past their last day are skipped in the index.
    expect(keysExamined).toBeLessThan(200);
  }
});

const orders = createWorkOrderStore(maintenance.mongo);
const contracts = createContractStore(maintenance.mongo);
const attachments = createAttachmentStore(maintenance.mongo);
const page = { page: 1, limit: 20 };
const today = "2026-06-01";

await insert("work_orders", 8_000, (index) => ({
  ...{ status: `status_${index % 40}`, type: `type_${index % 40}`, assignedTo: `usr_${index % 40}` },
  ...{ priority: `priority_${index % 40}`, pmScheduleId: `pms_${index % 40}`, tokens: [`t${index % 40}`] },
}));
await insert("contracts", 8_000, (index) => ({
  ...{ type: `type_${index % 40}`, tokens: [`t${index % 40}`], cancelled: index % 3 === 0 },
  ...{ startsOn: "2026-01-01", endKey: day(index) },
}));
await insert("attachments", 8_000, (index) => ({ blobId: `blb_${index}` }));

const ofOrders = (filter: object) => () => orders.list(workspaceId, filter, page);
const ofContracts = (filter: object) => () => contracts.list(workspaceId, filter, today, page);

test.each<[string, string, string, () => Promise<unknown>]>([
  ["work orders", "work_orders", "_id: 1", ofOrders({})],
  ...["status", "type", "assignedTo", "priority", "pmScheduleId", "assetId"].map(
    (field): [string, string, string, () => Promise<unknown>] => {
      const value = { status: "status_7", type: "type_7", assignedTo: "usr_7", priority: "priority_7" };
      const values: Record<string, string> = { ...value, pmScheduleId: "pms_7", assetId: "ast_7" };
      return [`work orders by ${field}`, "work_orders", `${field}: 1`, ofOrders({ [field]: values[field] })];
    },
  ),
  ["work orders with a word", "work_orders", "tokens: 1", ofOrders({ prefixes: ["t39"] })],
  ["contracts", "contracts", "_id: 1", ofContracts({})],
  ["contracts of an asset", "contracts", "assetId: 1", ofContracts({ assetId: "ast_7" })],
  ["contracts of a type", "contracts", "type: 1", ofContracts({ type: "type_7" })],
  ["contracts with a word", "contracts", "tokens: 1", ofContracts({ prefixes: ["t39"] })],
  [
    "expiring contracts",
    "contracts",
    "endKey: 1",
    () => contracts.listExpiring(workspaceId, { today, days: 30 }, page),
  ],
  [
    "attachments of an asset",
    "attachments",
    "assetId: 1",
    () => attachments.listOfAsset(workspaceId, "ast_7", page),
  ],
])("%s are read by their index, and only the rows of the page", async (_what, collection, index, read) => {
  const operations = await profiler.operationsOf(collection, read);
  expect(operations).not.toEqual([]);
  for (const { planSummary, docsExamined, hasSortStage = false } of operations) {
    expect(planSummary).toContain("workspaceId: 1");
    expect(docsExamined).toBeLessThanOrEqual(page.limit + 1);
    // Words are looked up by their beginnings, so that the rows of several words are sorted.
    expect(hasSortStage && index !== "tokens: 1").toBe(false);
  }
  expect(operations.map(({ planSummary }) => planSummary).join(" ")).toContain(index);
});
