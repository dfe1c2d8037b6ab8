import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { invalid, newId, requireFound, unknownReferences } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { assertNotLater } from "../../domain/assert-not-later.ts";
import { assertTakesWork } from "../../domain/assets/asset.ts";
import type { Calibration } from "../../domain/calibrations/calibration.ts";
import { findAsset } from "../assets/find-asset.ts";
import { advanceByCalibration } from "../schedules/advance-due-rows.ts";
import { today } from "../today.ts";
import { type CalibrationResult, requireCertificate } from "./record-calibration.ts";

export type NewCalibration = CalibrationResult & { assetId: string; pmScheduleId?: string | undefined };

/** A calibration as callers see it. */
export type CalibrationView = { calibration: Calibration; disposed: boolean };

/**
 * Records a calibration without a work order. A passed one advances its plan, or all plans of the asset; orders stay.
 *
 * @throws AppError ASSET_DISPOSED, NOT_FOUND on pm_schedule_id and certificate_attachment_id
 */
export async function createCalibration(
  context: Context,
  input: NewCalibration,
  call: Call,
): Promise<CalibrationView> {
  const { mongo, stores, now } = context;
  const { workspaceId, actor } = call;
  const { assetId, certificateAttachmentId } = input;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  assertTakesWork(requireFound(await findAsset(context, assetId, call), "asset"));
  return mongo.transaction(call, async (session) => {
    const { asset } = await stores.assets.touch(workspaceId, assetId, session);
    assertTakesWork(requireFound(asset, "asset"));
    const at = now();
    const date = today(at, timeZone);
    assertNotLater("performed_on", input.performedOn, date);
    const field = "certificate_attachment_id";
    await requireCertificate(context, { workspaceId, assetId, certificateAttachmentId, field }, session);
    await requirePlan(context, { ...input, workspaceId }, session);
    const calibration: Calibration = {
      ...input,
      ...{ id: newId("cal"), workspaceId, performedOn: input.performedOn ?? date },
      ...{ createdAt: at, createdBy: actor },
    };
    await stores.calibrations.insert(workspaceId, calibration, session);
    await advanceByCalibration(context, calibration, { at, timeZone }, session);
    return { calibration, disposed: false };
  });
}

/** @throws AppError on pm_schedule_id: NOT_FOUND, or VALIDATION_FAILED if it is no calibration plan of the asset */
async function requirePlan(
  { stores }: Context,
  { workspaceId, assetId, pmScheduleId }: NewCalibration & { workspaceId: string },
  session: ClientSession,
): Promise<void> {
  if (pmScheduleId === undefined) return;
  const schedule = await stores.pmSchedules.get(workspaceId, pmScheduleId, session);
  if (schedule === undefined) throw unknownReferences(["pm_schedule_id"]);
  const row = await stores.dueRows.ofAsset(workspaceId, pmScheduleId, assetId, session);
  if (!row?.calibration) {
    throw invalid([{ field: "pm_schedule_id", message: "is not a calibration plan of the asset" }]);
  }
}
