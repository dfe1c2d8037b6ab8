import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { DueRow } from "../../domain/schedules/due-row.ts";
import type { PmSchedule } from "../../domain/schedules/pm-schedule.ts";
import type { DueRowView, PmScheduleView } from "../../domain/schedules/schedule-view.ts";
import { today } from "../today.ts";

/** Schedules as callers see them: with the due row of an asset's schedule, and the state of the asset. */
export async function viewSchedules(
  { stores, now }: Context,
  workspaceId: string,
  schedules: readonly PmSchedule[],
  session?: ClientSession,
): Promise<PmScheduleView[]> {
  const own = schedules.filter(({ assetId }) => assetId !== undefined);
  const rows = await stores.dueRows.ofSchedules(
    workspaceId,
    own.map(({ id }) => id),
    session,
  );
  const assets = await stores.assets.getMany(
    workspaceId,
    own.flatMap(({ assetId }) => assetId ?? []),
    session,
  );
  const workspace = await stores.workspaces.get(workspaceId);
  const date = today(now(), workspace?.timeZone ?? "UTC");
  return schedules.map((schedule) => ({
    schedule,
    today: date,
    row:
      schedule.assetId === undefined
        ? undefined
        : rows.find(({ pmScheduleId }) => pmScheduleId === schedule.id),
    asset: schedule.assetId === undefined ? undefined : assets.get(schedule.assetId),
  }));
}

/** One schedule as callers see it. */
export async function viewSchedule(
  context: Context,
  schedule: PmSchedule,
  session?: ClientSession,
): Promise<PmScheduleView> {
  const [view] = await viewSchedules(context, schedule.workspaceId, [schedule], session);
  return view ?? { schedule, today: schedule.anchorOn ?? "" };
}

/** Due rows as callers see them. One read each finds all schedules, assets and unfinished orders of a page. */
export async function viewDueRows(
  { stores, now }: Context,
  workspaceId: string,
  rows: readonly DueRow[],
): Promise<DueRowView[]> {
  const scheduleIds = [...new Set(rows.map(({ pmScheduleId }) => pmScheduleId))];
  const assetIds = [...new Set(rows.map(({ assetId }) => assetId))];
  const [schedules, assets, orders, workspace] = await Promise.all([
    stores.pmSchedules.getMany(workspaceId, scheduleIds),
    stores.assets.getMany(workspaceId, assetIds),
    stores.workOrders.unfinishedOf(workspaceId, scheduleIds, assetIds),
    stores.workspaces.get(workspaceId),
  ]);
  const date = today(now(), workspace?.timeZone ?? "UTC");
  const orderOf = new Map(orders.map(({ id, pmScheduleId, assetId }) => [`${pmScheduleId} ${assetId}`, id]));
  return rows.map((row) => ({
    row,
    today: date,
    schedule: schedules.get(row.pmScheduleId),
    asset: assets.get(row.assetId),
    workOrderId: orderOf.get(`${row.pmScheduleId} ${row.assetId}`),
  }));
}
