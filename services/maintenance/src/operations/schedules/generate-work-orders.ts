import type { ClientSession } from "@asset-register/mongo";
import { limits } from "@asset-register/proto/limits";
import type { Call } from "@asset-register/rpc";
import {
  AppError,
  endOfDay,
  newId,
  requireFound,
  requireRev,
  unknownReferences,
} from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertTakesWork, isGone } from "../../domain/assets/asset.ts";
import type { DueRow } from "../../domain/schedules/due-row.ts";
import { assertCanGenerate, assertNotFilling, type PmSchedule } from "../../domain/schedules/pm-schedule.ts";
import type { WorkOrder, WorkOrderView } from "../../domain/work-orders/work-order.ts";
import { workOrderCreated } from "../../published.ts";
import { today } from "../today.ts";
import { statusEntry } from "../work-orders/save-work-order.ts";
import { viewWorkOrder } from "../work-orders/view-work-order.ts";

export type GenerateWorkOrders = { id: string; assetIds: string[]; ifRevIn: readonly number[] };

export type GenerateResult = {
  /** Of the asset in the request, or in the results if it names none. */
  index: number;
  assetId: string;
  workOrderId: string;
  status: "created" | "existing";
};

/** Of an asset's schedule its order, of a category's the results: in order of the request, else of the assets. */
export type Generated = { order?: WorkOrderView | undefined; results: GenerateResult[] };

/**
 * Makes one unfinished order for each asset, due or not. One that exists is returned. Two calls at once make one: both write to
 * the asset, so the second runs again and finds the order. A unique index makes sure of it.
 *
 * @throws AppError SCHEDULE_ENDED, SCHEDULE_TOO_WIDE, SCHEDULE_FILLING, NOT_FOUND on asset_ids
 */
export async function generateWorkOrders(
  context: Context,
  { id, assetIds, ifRevIn }: GenerateWorkOrders,
  call: Call,
): Promise<Generated> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  const { currency, timeZone } = await requireWorkspace(context, workspaceId);
  return mongo.transaction(call, async (session) => {
    const schedule = requireFound(await stores.pmSchedules.get(workspaceId, id, session), "schedule");
    requireRev(schedule.rev, ifRevIn);
    assertCanGenerate(schedule, today(now(), timeZone));
    const rows = await rowsOf(context, schedule, assetIds, session);
    const made = await generate(context, { schedule, rows, currency, timeZone, call }, session);
    const results = resultsOf(made, assetIds.length > 0 ? assetIds : rows.map(({ assetId }) => assetId));
    const [only] = results;
    if (schedule.assetId === undefined || only === undefined) return { results };
    const order = requireFound(
      await stores.workOrders.get(workspaceId, only.workOrderId, session),
      "work order",
    );
    return { order: await viewWorkOrder(context, order, session), results };
  });
}

/** The rows of the assets for which orders are made. The assets are written to, so that none is disposed of meanwhile. */
async function rowsOf(
  { stores }: Context,
  schedule: PmSchedule,
  assetIds: readonly string[],
  session: ClientSession,
): Promise<DueRow[]> {
  const { id, workspaceId, assetId } = schedule;
  if (assetId !== undefined) {
    const { asset } = await stores.assets.touch(workspaceId, assetId, session);
    assertTakesWork(requireFound(asset, "asset"));
    const others = assetIds.flatMap((one, index) => (one === assetId ? [] : [`asset_ids.${index}`]));
    if (others.length > 0) throw unknownReferences(others);
    return stores.dueRows.ofSchedule(workspaceId, id, [assetId], session);
  }
  assertNotFilling(schedule);
  const wide = assetIds.length === 0;
  if (wide) {
    const count = await stores.dueRows.count(workspaceId, id);
    if (count > limits.generatedOrders) throw tooWide(count);
  }
  const rows = wide
    ? await stores.dueRows.after(workspaceId, id, { assetId: "", limit: limits.generatedOrders, session })
    : await stores.dueRows.ofSchedule(workspaceId, id, [...assetIds], session);
  const unknown = assetIds.flatMap((one, index) =>
    rows.some((row) => row.assetId === one) ? [] : [`asset_ids.${index}`],
  );
  if (unknown.length > 0) throw unknownReferences(unknown);
  const assets = await stores.assets.touchMany(
    workspaceId,
    rows.map((row) => row.assetId),
    session,
  );
  return rows.filter((row) => {
    const asset = assets.get(row.assetId);
    return asset === undefined || !isGone(asset);
  });
}

type DueWork = { schedule: PmSchedule; rows: DueRow[]; currency: string; timeZone: string; call: Call };

type OrderOf = { orderOf: Map<string, WorkOrder>; created: Set<string> };

async function generate(
  { stores, outbox, now }: Context,
  { schedule, rows, currency, timeZone, call }: DueWork,
  session: ClientSession,
): Promise<OrderOf> {
  const { id, workspaceId } = schedule;
  const assetIds = rows.map(({ assetId }) => assetId);
  const existing = await stores.workOrders.unfinishedOf(workspaceId, [id], assetIds, session);
  const orderOf = new Map(existing.map((order) => [order.assetId, order]));
  const at = now();
  const made: WorkOrder[] = rows
    .filter(({ assetId }) => !orderOf.has(assetId))
    .map(({ assetId, nextDueOn }) => ({
      ...{ id: newId("wo"), workspaceId, assetId, status: "open", pmScheduleId: id, pmDueOn: nextDueOn },
      ...{ title: schedule.template.title ?? schedule.title, type: schedule.template.type },
      ...{ priority: schedule.template.priority, description: schedule.template.description },
      ...{ assignedTo: schedule.template.assignedTo, assetDown: false, parts: [], currency, downtimeMs: 0 },
      dueAt: nextDueOn === undefined ? undefined : endOfDay(nextDueOn, timeZone),
      ...{ createdAt: at, createdBy: call.actor, rev: 1 },
    }));
  await stores.workOrders.insertMany(workspaceId, made, session);
  const entries = made.map((order) => statusEntry(order, { at, by: call.actor }));
  await stores.statusEntries.insertMany(workspaceId, entries, session);
  for (const order of made) await outbox.add(session, workOrderCreated(order, at));
  for (const order of made) orderOf.set(order.assetId, order);
  return { orderOf, created: new Set(made.map(({ assetId }) => assetId)) };
}

/** One result for each asset that has an order. An asset that is named twice has an existing one the second time. */
function resultsOf({ orderOf, created }: OrderOf, assetIds: readonly string[]): GenerateResult[] {
  return assetIds.flatMap((assetId, index) => {
    const order = orderOf.get(assetId);
    if (order === undefined) return [];
    const isCreated = created.has(assetId) && assetIds.indexOf(assetId) === index;
    return [{ index, assetId, workOrderId: order.id, status: isCreated ? "created" : "existing" }];
  });
}

function tooWide(count: number): AppError {
  const message = `The category has ${count} assets. Name at most ${limits.generatedOrders} in asset_ids.`;
  return new AppError({
    ...{ kind: "invalid", code: "SCHEDULE_TOO_WIDE", message },
    violations: [{ field: "asset_ids", message }],
  });
}
