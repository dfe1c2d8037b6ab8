import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { localDate, requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertNotLater } from "../../domain/assert-not-later.ts";
import { assertTakesWork } from "../../domain/assets/asset.ts";
import {
  isUnfinished,
  type WorkOrder,
  type WorkOrderStatus,
  type WorkOrderView,
} from "../../domain/work-orders/work-order.ts";
import { assertCanBecome, withStatus, workOrderState } from "../../domain/work-orders/work-order-status.ts";
import { workOrderStatusChanged } from "../../published.ts";
import {
  assertCalibration,
  type CalibrationResult,
  recordCalibration,
} from "../calibrations/record-calibration.ts";
import { advanceByCompletion } from "../schedules/advance-due-rows.ts";
import { saveWorkOrder, statusEntry } from "./save-work-order.ts";
import { viewWorkOrder } from "./view-work-order.ts";

export type ChangeWorkOrderStatus = {
  id: string;
  status: WorkOrderStatus;
  note?: string | undefined;
  /** Of a completion. Today by default. */
  completedOn?: string | undefined;
  calibration?: CalibrationResult | undefined;
  ifRevIn: readonly number[];
};

/** Changes the status, with the downtime, and with the calibration of a completion. */
export async function changeWorkOrderStatus(
  context: Context,
  { id, status, note, completedOn, calibration, ifRevIn }: ChangeWorkOrderStatus,
  call: Call,
): Promise<WorkOrderView> {
  const { mongo, outbox, stores, now } = context;
  const { workspaceId, actor: by } = call;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.workOrders.get(workspaceId, id, session), "work order");
    requireRev(before.rev, ifRevIn);
    assertCanBecome(before, status);
    const { asset, downtime } = await stores.assets.touch(workspaceId, before.assetId, session);
    if (asset && isReopened(before, status)) assertTakesWork(asset);
    if (isReopened(before, status)) await assertOnlyUnfinished(context, before, session);
    const at = now();
    const today = localDate(at, timeZone);
    assertNotLater("completed_on", completedOn, today);
    const after = withStatus(before, status, { at, completedOn: completedOn ?? today });
    if (status === "completed") assertCalibration(after, calibration, today);
    const order = await saveWorkOrder(context, { before, after, downtime, at }, session);
    await stores.statusEntries.insertMany(workspaceId, [statusEntry(order, { at, by, note })], session);
    await outbox.add(session, workOrderStatusChanged(order, { before: before.status, note, at }));
    if (status === "completed") await advanceByCompletion(context, order, { at, timeZone }, session);
    if (calibration) await recordCalibration(context, { order, calibration, timeZone, at, by }, session);
    return viewWorkOrder(context, order, session);
  });
}

/** A schedule has one unfinished order for an asset. The caller has written the asset's row. */
async function assertOnlyUnfinished(
  { stores }: Context,
  order: WorkOrder,
  session: ClientSession,
): Promise<void> {
  const { workspaceId, pmScheduleId, assetId } = order;
  if (pmScheduleId === undefined) return;
  const others = await stores.workOrders.unfinishedOf(workspaceId, [pmScheduleId], [assetId], session);
  if (others.length > 0)
    throw workOrderState(order, "Its schedule has another unfinished order for the asset.");
}

/** A finished order that becomes unfinished is new work. */
const isReopened = (before: WorkOrder, status: WorkOrderStatus): boolean =>
  !isUnfinished(before) && isUnfinished({ status });
