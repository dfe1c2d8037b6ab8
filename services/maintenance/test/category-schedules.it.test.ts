import { eventually } from "@asset-register/harness";
import {
  GenerateStatus,
  PmScheduleEndedReason,
  PmScheduleStatus,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { WorkOrderStatus } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { newId } from "@asset-register/runtime";
import { codeOf } from "@asset-register/service-harness";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { categoryEvent, scheduleCalls } from "./schedule-support.ts";
import { assetEvent, newWorkspace, startMaintenance, workOrderCalls } from "./support.ts";

const maintenance = await startMaintenance({
  now: () => new Date("2026-03-05T10:00:00Z"),
  filling: { leaseMs: 1_000 },
});
afterAll(() => maintenance.stop());
const { publish, register, workOrders } = maintenance;
afterEach(() => {
  register.onPage(async () => undefined);
  register.onResolved(async () => undefined);
  register.setTooLarge(false);
});
const workspace = await newWorkspace(maintenance);
const { newAsset } = workOrderCalls(maintenance, workspace);
const { create, read, rows, change, generate, filled, schedules, manager } = scheduleCalls(
  maintenance,
  workspace,
);
const home = workspace.id;

const assetsOf = async (id: string) => (await rows(id)).map(({ assetId }) => assetId).toSorted();
/** Waits until the event of an asset with this sequence is projected. */
const projected = (assetId: string, sourceSequence: number) =>
  eventually(async () => {
    const row = { workspaceId: home, _id: assetId, sourceSequence } as object;
    expect(await maintenance.mongo.collection("assets").countDocuments(row)).toBe(1);
  });
const dueOf = async (id: string, assetId: string) =>
  (await rows(id)).find((row) => row.assetId === assetId)?.nextDueOn;
/** A filled schedule of a category with `count` assets, whose events have arrived. */
async function filledCategory(count: number) {
  const { categoryId, assetIds } = register.newCategory(home, count);
  await publish(categoryEvent(home, categoryId, 1));
  for (const id of assetIds) await publish(assetEvent(home, id, 1, { categoryId }));
  const { id } = await create({ categoryId });
  await filled(id);
  return { id, categoryId, assetIds };
}

test("a category of 10,000 assets is filled in the background; another change meanwhile is SCHEDULE_FILLING", async () => {
  const { categoryId, assetIds } = register.newCategory(home, 10_000);
  const second = Promise.withResolvers<void>();
  register.onPage(async (afterId) => {
    if (afterId !== "") await second.promise;
  });
  const made = await create({ categoryId });
  await eventually(async () =>
    expect(await read(made.id)).toMatchObject({
      ...{ status: PmScheduleStatus.FILLING, progress: { done: 1_000, total: 10_000 }, rev: made.rev },
    }),
  );
  expect(await codeOf(change(made.id, { title: "Other" }, "title"))).toBe("SCHEDULE_FILLING");
  expect(await codeOf(schedules.deletePmSchedule({ id: made.id }, manager))).toBe("SCHEDULE_FILLING");
  expect(await codeOf(generate(made.id))).toBe("SCHEDULE_FILLING");
  second.resolve();
  const done = await filled(made.id);
  expect(done).toMatchObject({ status: PmScheduleStatus.ACTIVE, rev: made.rev + 1 });
  const stored = { workspaceId: home, pmScheduleId: made.id, nextDueOn: "2026-01-31" } as object;
  expect(await maintenance.mongo.collection("due_rows").countDocuments(stored)).toBe(10_000);

  expect(await generate(made.id).catch((error: unknown) => error)).toMatchObject({
    code: "SCHEDULE_TOO_WIDE",
    message: expect.stringContaining("10000"),
  });
  const some = await generate(made.id, assetIds.slice(0, 3));
  expect(some.results.map(({ assetId }) => assetId)).toEqual(assetIds.slice(0, 3));
  expect(await generate(made.id, ["ast_x"]).catch((error: unknown) => error)).toMatchObject({
    ...{ code: "NOT_FOUND", violations: [{ field: "asset_ids.0" }] },
  });
});

describe("the due rows of a category follow asset events", () => {
  test("an asset that joins is never overdue; one that leaves, is disposed of or deleted loses its row", async () => {
    const { id, categoryId, assetIds } = await filledCategory(3);
    const [left = "", disposed = "", deleted = ""] = assetIds;
    const joined = newAsset();
    await publish(assetEvent(home, joined, 1, { categoryId }));
    await publish(assetEvent(home, left, 2));
    await publish(assetEvent(home, disposed, 2, { categoryId, disposed: true }));
    await publish(assetEvent(home, deleted, 2, { categoryId, deleted: true }));
    await eventually(async () => expect(await assetsOf(id)).toEqual([joined]));
    expect(await dueOf(id, joined)).toBe("2026-03-31");
  });

  test("repeated and late events change nothing", async () => {
    const { id, categoryId, assetIds } = await filledCategory(1);
    const [assetId = ""] = assetIds;
    await publish(assetEvent(home, assetId, 3));
    await eventually(async () => expect(await assetsOf(id)).toEqual([]));
    await publish(assetEvent(home, assetId, 2, { categoryId }));
    await publish(assetEvent(home, assetId, 3));
    const last = newAsset();
    await publish(assetEvent(home, last, 1, { categoryId }));
    await eventually(async () => expect(await assetsOf(id)).toEqual([last]));
  });

  test("an asset of a category below counts, also if its own event comes before that of the category", async () => {
    const { id, categoryId } = await filledCategory(1);
    const [below, assetId] = [newId("cat"), newAsset()];
    await publish(assetEvent(home, assetId, 1, { categoryId: below }));
    await publish(categoryEvent(home, below, 1, { parentId: categoryId }));
    await eventually(async () => expect(await assetsOf(id)).toContain(assetId));
  });

  test("a category that is moved takes its assets with it", async () => {
    const [from, to] = [await filledCategory(1), await filledCategory(1)];
    const [below, assetId] = [newId("cat"), newAsset()];
    await publish(categoryEvent(home, below, 1, { parentId: from.categoryId }));
    await publish(assetEvent(home, assetId, 1, { categoryId: below }));
    await eventually(async () => expect(await assetsOf(from.id)).toContain(assetId));
    register.setAssets(to.categoryId, [...to.assetIds, assetId]);
    await publish(categoryEvent(home, below, 2, { parentId: to.categoryId }));
    await eventually(async () => expect(await assetsOf(to.id)).toContain(assetId));
    await eventually(async () => expect(await assetsOf(from.id)).toEqual(from.assetIds));
    expect(await dueOf(to.id, assetId)).toBe("2026-03-31");
  });

  test("an asset that leaves while its page is added has no row afterwards", async () => {
    const { categoryId, assetIds } = register.newCategory(home, 2);
    const [left = "", stays = ""] = assetIds;
    await publish(categoryEvent(home, categoryId, 1));
    // The page still has the asset. Its event is handled before the page is saved.
    register.onPage(async () => {
      register.leave(categoryId, left);
      await publish(assetEvent(home, left, 2));
      await projected(left, 2);
      register.setAssets(categoryId, assetIds);
      register.onPage(async () => undefined);
    });
    const { id } = await create({ categoryId });
    await filled(id);
    expect(await assetsOf(id)).toEqual([stays]);
  });

  test("an asset that rejoins between register's answer and the commit keeps its due row", async () => {
    const { categoryId, assetIds } = register.newCategory(home, 1);
    const [assetId = ""] = assetIds;
    await publish(categoryEvent(home, categoryId, 1));
    await publish(assetEvent(home, assetId, 2));
    await projected(assetId, 2);
    register.leave(categoryId, assetId);
    register.setAssets(categoryId, assetIds);
    register.onResolved(async () => {
      register.onResolved(async () => undefined);
      await publish(assetEvent(home, assetId, 3, { categoryId }));
      await projected(assetId, 3);
    });
    const { id } = await create({ categoryId });
    await filled(id);
    expect(await assetsOf(id)).toEqual([assetId]);
  });
});

test("a change recomputes all rows; TREE_TOO_LARGE is answered before anything is saved", async () => {
  const { id, assetIds } = await filledCategory(2);
  register.setTooLarge(true);
  expect(await codeOf(change(id, { anchorOn: "2026-02-10" }, "anchor_on"))).toBe("TREE_TOO_LARGE");
  register.setTooLarge(false);
  expect((await read(id)).rev).toBe(2);
  await change(id, { anchorOn: "2026-02-10" }, "anchor_on");
  await filled(id);
  for (const assetId of assetIds) expect(await dueOf(id, assetId)).toBe("2026-02-10");
});

test("a filling whose tree has grown too large takes the assets from the projection", async () => {
  const { categoryId, assetIds } = register.newCategory(home, 2);
  await publish(categoryEvent(home, categoryId, 1));
  for (const id of assetIds) await publish(assetEvent(home, id, 1, { categoryId }));
  await eventually(async () => {
    const stored = { workspaceId: home, categoryId } as object;
    expect(await maintenance.mongo.collection("assets").countDocuments(stored)).toBe(2);
  });
  register.onPage(async () => register.setTooLarge(true));
  const { id } = await create({ categoryId });
  await filled(id);
  expect(await assetsOf(id)).toEqual(assetIds);
});

test("a deleted category ends its schedules, also while they are filling", async () => {
  const { id, categoryId } = await filledCategory(1);
  await publish(categoryEvent(home, categoryId, 2, { deleted: true }));
  await eventually(async () =>
    expect(await read(id)).toMatchObject({
      ...{ status: PmScheduleStatus.ENDED, endedReason: PmScheduleEndedReason.CATEGORY_DELETED },
    }),
  );
  // They are removed after the schedule has ended.
  await eventually(async () => expect(await rows(id)).toEqual([]));
  expect(await codeOf(generate(id))).toBe("SCHEDULE_ENDED");

  const other = register.newCategory(home, 1);
  register.onPage(async () => register.removeCategory(home, other.categoryId));
  const filling = await create({ categoryId: other.categoryId });
  expect((await filled(filling.id)).status).toBe(PmScheduleStatus.ENDED);
});

test("generate of a category makes an order for each asset, due or not; at once with another call one each", async () => {
  const { id, assetIds } = await filledCategory(3);
  const answers = await Promise.all([generate(id), generate(id), generate(id)]);
  for (const { results } of answers) expect(results.map(({ assetId }) => assetId)).toEqual(assetIds);
  expect(new Set(answers.flatMap(({ results }) => results.map((one) => one.workOrderId))).size).toBe(3);
});

test("generate with asset_ids answers in their order; a repeated id is existing", async () => {
  const { id, assetIds } = await filledCategory(3);
  const named = [assetIds[2], assetIds[0], assetIds[2]].map(String);
  const { results } = await generate(id, named);
  expect(results.map(({ index, assetId, status }) => [index, assetId, status])).toEqual([
    [0, named[0], GenerateStatus.CREATED],
    [1, named[1], GenerateStatus.CREATED],
    [2, named[0], GenerateStatus.EXISTING],
  ]);
  expect(results[2]?.workOrderId).toBe(results[0]?.workOrderId);
});

test("the own schedule of an asset ends with its disposal, or its deletion", async () => {
  const ended = {
    disposed: PmScheduleEndedReason.ASSET_DISPOSED,
    deleted: PmScheduleEndedReason.ASSET_DELETED,
  };
  for (const state of ["disposed", "deleted"] as const) {
    const assetId = newAsset();
    const { id } = await create({ assetId });
    const { workOrder } = await generate(id);
    await publish(assetEvent(home, assetId, 2, { [state]: true }));
    await eventually(async () => expect((await read(id)).endedReason).toBe(ended[state]));
    expect(await rows(id)).toEqual([]);
    expect((await read(id)).assetDisposed).toBe(state === "disposed");
    await eventually(async () => {
      const { workOrder: order } = await workOrders.getWorkOrder({ id: workOrder!.id }, manager);
      expect(order?.status).toBe(WorkOrderStatus.CANCELLED);
    });
    expect(await codeOf(create({ assetId }))).toBe(state === "disposed" ? "ASSET_DISPOSED" : "NOT_FOUND");
    expect(await codeOf(generate(id))).toBe("SCHEDULE_ENDED");
  }
});
