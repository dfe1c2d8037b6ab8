import { eventually } from "@asset-register/harness";
import { PmScheduleStatus } from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { afterAll, expect, test } from "vitest";
import { scheduleCalls } from "./schedule-support.ts";
import { newWorkspace, startMaintenance } from "./support.ts";

const ASSETS = 1_500;

const maintenance = await startMaintenance();
const { register, mongo } = maintenance;
const workspace = await newWorkspace(maintenance);
afterAll(() => maintenance.stop());

test("the worker is killed while it fills the schedule of a category: another one adds each asset once", async () => {
  // The killed process is the only one.
  await maintenance.stopProcess(maintenance.app);
  const child = await maintenance.spawn();
  const { create, read } = scheduleCalls(maintenance, workspace, child);
  const { categoryId } = register.newCategory(workspace.id, ASSETS);
  const never = Promise.withResolvers<void>();
  register.onPage(async (afterId) => {
    if (afterId !== "") await never.promise;
  });
  const { id } = await create({ categoryId });
  await eventually(async () =>
    expect(await read(id)).toMatchObject({
      ...{ status: PmScheduleStatus.FILLING, progress: { done: 1_000, total: ASSETS } },
    }),
  );
  await child.kill();
  never.resolve();
  register.onPage(async () => undefined);
  await maintenance.expireKilled("pm_schedules");
  const { filled } = scheduleCalls(maintenance, workspace, await maintenance.start());
  expect((await filled(id)).status).toBe(PmScheduleStatus.ACTIVE);
  const rows = mongo.collection("due_rows").find({ workspaceId: workspace.id, pmScheduleId: id } as object);
  const assetIds = (await rows.toArray()).map((row) => (row as unknown as { assetId: string }).assetId);
  expect([assetIds.length, new Set(assetIds).size]).toEqual([ASSETS, ASSETS]);
});
