import { testServers } from "@asset-register/harness";
import mongoose from "mongoose";
import { afterAll, expect, test } from "vitest";
import { createDueRowStore, dueRowRecords } from "../src/store/due-rows.ts";
import { newWorkspace, startMaintenance } from "./support.ts";

const ROWS = 100_000;
const maintenance = await startMaintenance();
const { id: workspaceId } = await newWorkspace(maintenance);
const connection = mongoose.createConnection(testServers().mongoUrl, {
  dbName: maintenance.mongo.database,
});
await connection.asPromise();
const db = connection.getClient().db(maintenance.mongo.database);
afterAll(async () => {
  await connection.close();
  await maintenance.stop();
});

const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + (index % 1_000))).toISOString().slice(0, 10);
const rows = Array.from({ length: ROWS }, (_, index) => ({
  ...{ _id: `pmd_${String(index).padStart(6, "0")}`, workspaceId, pmScheduleId: `pms_${index % 20}` },
  ...{ assetId: `ast_${index}`, nextDueOn: day(index), calibration: index % 10 === 0, metered: false },
  // Each hundredth schedule is past its last day.
  endsOn: index % 100 === 1 ? "2026-01-31" : "9999-12-31",
}));
await db.collection<(typeof rows)[number]>(dueRowRecords.collection).insertMany(rows, { ordered: false });

type Operation = { planSummary: string; hasSortStage?: boolean; docsExamined: number; keysExamined: number };

test("due lists on 100,000 due rows are read by their index, in its order, and read only the rows of the page", async () => {
  const store = createDueRowStore(maintenance.mongo);
  const filter = { calibration: false, until: "2027-12-31", today: "2026-06-01", days: 3_650 };
  const pages = async () => {
    const first = await store.listDue(workspaceId, filter, { page: 1, limit: 50 });
    const second = await store.listDue(workspaceId, filter, { page: 1, limit: 50, cursor: first.nextCursor });
    return [...first.items, ...second.items];
  };
  await db.command({ profile: 2 });
  const found = await pages();
  await db.command({ profile: 0 });
  const keys = found.map(({ nextDueOn, id }) => `${nextDueOn} ${id}`);
  expect(keys).toEqual(keys.toSorted());
  expect(new Set(keys).size).toBe(100);

  const ns = `${maintenance.mongo.database}.${dueRowRecords.collection}`;
  const operations = await db
    .collection<Operation & { _id: never }>("system.profile")
    .find({ ns, op: "query", "command.find": dueRowRecords.collection })
    .toArray();
  expect(operations).toHaveLength(2);
  for (const { planSummary, hasSortStage, docsExamined, keysExamined } of operations) {
    expect(planSummary).toContain("workspaceId: 1, calibration: 1, nextDueOn: 1");
    expect(hasSortStage ?? false).toBe(false);
    expect(docsExamined).toBeLessThanOrEqual(51);
    // Rows of schedules past their last day are skipped in the index.
    expect(keysExamined).toBeLessThan(200);
  }
});
