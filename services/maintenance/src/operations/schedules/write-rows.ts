import type { ClientSession } from "@asset-register/mongo";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { computed, type DueRow, NEVER_ENDS } from "../../domain/schedules/due-row.ts";
import { isCalibrationPlan, type PmSchedule } from "../../domain/schedules/pm-schedule.ts";

type Rows = { schedule: PmSchedule; assetIds: string[]; timeZone: string };

/** Computes the rows of some assets again. It reads them in the transaction, since work may be completed meanwhile. */
export async function recomputeRows(
  { stores }: Context,
  { schedule, assetIds, timeZone }: Rows,
  session: ClientSession,
): Promise<void> {
  const { id, workspaceId, meterInterval } = schedule;
  if (assetIds.length === 0) return;
  const rows = await stores.dueRows.ofSchedule(workspaceId, id, assetIds, session);
  const points =
    meterInterval === undefined
      ? undefined
      : await stores.meterReadings.pointsOf(workspaceId, assetIds, session);
  const after = rows.map((row) =>
    computed(row, { schedule, readings: points?.get(row.assetId) ?? [], timeZone }),
  );
  await stores.dueRows.saveMany(workspaceId, after, session);
}

/**
 * Adds the missing rows of some assets. With `joinedOn` they have joined at that date, and are not due before it.
 * Without it they are the first assets of the schedule, also those that an event has added already.
 */
export async function addRows(
  { stores }: Context,
  { schedule, assetIds, timeZone, joinedOn, now }: Rows & { joinedOn?: string | undefined; now: Date },
  session: ClientSession,
): Promise<void> {
  const { id, workspaceId, meterInterval } = schedule;
  if (assetIds.length === 0) return;
  const present = await stores.dueRows.ofSchedule(workspaceId, id, assetIds, session);
  const known = new Set(present.map(({ assetId }) => assetId));
  const points =
    meterInterval === undefined
      ? undefined
      : await stores.meterReadings.pointsOf(workspaceId, assetIds, session);
  const compute = (row: DueRow) =>
    computed(row, { schedule, readings: points?.get(row.assetId) ?? [], timeZone });
  const added = assetIds
    .filter((assetId) => !known.has(assetId))
    .map((assetId) => newRow(schedule, assetId, joinedOn, now));
  await stores.dueRows.insertMany(workspaceId, added.map(compute), session);
  if (joinedOn !== undefined) return;
  const early = present.filter((row) => row.joinedOn !== undefined && row.lastCompletedOn === undefined);
  const first = early.map((row) => compute({ ...row, joinedOn: undefined, meterFrom: undefined }));
  await stores.dueRows.saveMany(workspaceId, first, session);
}

/** A row without due date. Units of an asset that joins count from now. */
export function newRow(
  schedule: PmSchedule,
  assetId: string,
  joinedOn: string | undefined,
  now: Date,
): DueRow {
  return {
    id: newId("pmd"),
    workspaceId: schedule.workspaceId,
    pmScheduleId: schedule.id,
    assetId,
    joinedOn,
    meterFrom: joinedOn === undefined ? undefined : now,
    calibration: isCalibrationPlan(schedule),
    metered: schedule.meterInterval !== undefined,
    endsOn: schedule.endsOn ?? NEVER_ENDS,
  };
}
