import { spawn } from "node:child_process";
import path from "node:path";
import { eventually } from "@asset-register/harness";
import {
  PmScheduleService,
  PmScheduleStatus,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { afterAll, expect, test } from "vitest";
import { scheduleCalls } from "./schedule-support.ts";
import { newWorkspace, startMaintenance } from "./support.ts";

const ASSETS = 3_000;

const maintenance = await startMaintenance();
const { app, env, register, stopProcess, start, mongo } = maintenance;
const workspace = await newWorkspace(maintenance);
const { create, filled, manager } = scheduleCalls(maintenance, workspace);
const grpc = { GRPC_ADDRESS: `127.0.0.1:${app.ports.grpc}` };
// Its address, so that the clients of the service call it.
const child = await startChild();
afterAll(async () => {
  child.kill("SIGKILL");
  await maintenance.stop();
});

async function startChild() {
  await stopProcess(app);
  const main = path.join(import.meta.dirname, "../src/main.ts");
  const started = spawn(process.execPath, [main], {
    env: { ...process.env, ...env, ...grpc },
    stdio: "ignore",
  });
  const schedules = maintenance.client(PmScheduleService);
  await eventually(() => schedules.listPmSchedules({}, manager));
  return started;
}

test("the worker is killed while it fills the schedule of a category: another one adds each asset once", async () => {
  const { categoryId } = register.newCategory(workspace.id, ASSETS);
  let pages = 0;
  const never = Promise.withResolvers<void>();
  register.onPage(async () => {
    pages += 1;
    if (pages === 2) await never.promise;
  });
  const made = await create({ categoryId });
  expect(made).toMatchObject({ status: PmScheduleStatus.FILLING, progress: { done: 1_000, total: ASSETS } });
  child.kill("SIGKILL");
  await start(grpc);
  expect((await filled(made.id)).status).toBe(PmScheduleStatus.ACTIVE);
  const rows = mongo
    .collection("due_rows")
    .find({ workspaceId: workspace.id, pmScheduleId: made.id } as object);
  const assetIds = (await rows.toArray()).map((row) => (row as unknown as { assetId: string }).assetId);
  expect([assetIds.length, new Set(assetIds).size]).toEqual([ASSETS, ASSETS]);
  never.resolve();
});
