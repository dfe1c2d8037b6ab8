import type { ClientSession } from "@asset-register/mongo";
import type { Context } from "../../context.ts";
import type { Calibration } from "../../domain/calibrations/calibration.ts";
import { afterCompletion, type Completion, validDueOn } from "../../domain/schedules/completion.ts";
import { computed, type DueRow } from "../../domain/schedules/due-row.ts";
import { duePlan } from "../../domain/schedules/pm-schedule.ts";
import type { WorkOrder } from "../../domain/work-orders/work-order.ts";
import { momentOf } from "../today.ts";

type When = { at: Date; timeZone: string };

/** Advances the due row of a completed order. Nothing else is made. Calibration plans advance by calibrations only. */
export async function advanceByCompletion(
  context: Context,
  { id, workspaceId, assetId, pmScheduleId, pmDueOn, completedOn }: WorkOrder,
  when: When,
  session: ClientSession,
): Promise<void> {
  if (pmScheduleId === undefined || completedOn === undefined) return;
  const row = await context.stores.dueRows.ofAsset(workspaceId, pmScheduleId, assetId, session);
  if (row === undefined || row.calibration) return;
  await advance(context, [row], { byId: id, completedOn, dueOn: pmDueOn }, when, session);
}

/** Advances the calibration plan of a passed calibration, or all of the asset if it names none. */
export async function advanceByCalibration(
  context: Context,
  { id, workspaceId, assetId, pmScheduleId, result, performedOn }: Calibration,
  when: When,
  session: ClientSession,
): Promise<void> {
  if (result !== "passed") return;
  const all = await context.stores.dueRows.ofAssets(workspaceId, [assetId], session);
  const rows = all.filter(
    (row) => row.calibration && (pmScheduleId === undefined || row.pmScheduleId === pmScheduleId),
  );
  await advance(context, rows, { byId: id, completedOn: performedOn }, when, session);
}

async function advance(
  { stores }: Context,
  rows: readonly DueRow[],
  completion: Completion,
  { at, timeZone }: When,
  session: ClientSession,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { workspaceId, assetId } = first;
  const scheduleIds = rows.map(({ pmScheduleId }) => pmScheduleId);
  const schedules = await stores.pmSchedules.getMany(workspaceId, scheduleIds, session);
  const metered = rows.some((row) => row.metered);
  const points = metered ? await stores.meterReadings.pointsOf(workspaceId, [assetId], session) : undefined;
  const readings = points?.get(assetId) ?? [];
  const meterFrom = momentOf(completion.completedOn, at, timeZone);
  const reading = readings.findLast(({ readAt }) => readAt <= meterFrom);

  const after = rows.flatMap((row) => {
    const schedule = schedules.get(row.pmScheduleId);
    if (schedule === undefined) return [];
    const dueOn = validDueOn(duePlan(schedule), row, completion.dueOn);
    const done = afterCompletion(row, { ...completion, dueOn });
    const isLast = done.lastDoneById === completion.byId;
    const meter = isLast ? { meterFrom, lastCompletedMeter: reading?.value } : {};
    return [computed({ ...row, ...done, ...meter }, { schedule, readings, timeZone })];
  });
  await stores.dueRows.saveMany(workspaceId, after, session);
}
