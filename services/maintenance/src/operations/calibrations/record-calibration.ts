import type { ClientSession } from "@asset-register/mongo";
import type { Actor } from "@asset-register/rpc";
import { invalid, newId, unknownReferences } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { assertNotLater } from "../../domain/assert-not-later.ts";
import type { Calibration } from "../../domain/calibrations/calibration.ts";
import type { WorkOrder } from "../../domain/work-orders/work-order.ts";
import { advanceByCalibration } from "../schedules/advance-due-rows.ts";

export type CalibrationResult = Pick<
  Calibration,
  "result" | "performedBy" | "measured" | "certificateAttachmentId"
> & { performedOn?: string | undefined };

/** @throws AppError VALIDATION_FAILED for a result that is missing, later than today, or not of a calibration */
export function assertCalibration(
  { type }: WorkOrder,
  calibration: CalibrationResult | undefined,
  today: string,
): void {
  if (type === "calibration" && calibration === undefined) {
    throw invalid([{ field: "calibration.result", message: "is required for an order of type calibration" }]);
  }
  if (type !== "calibration" && calibration !== undefined) {
    throw invalid([{ field: "calibration", message: "is for orders of type calibration only" }]);
  }
  assertNotLater("calibration.performed_on", calibration?.performedOn, today);
}

type Recorded = {
  order: WorkOrder;
  calibration: CalibrationResult;
  timeZone: string;
  at: Date;
  by: Actor;
};

/**
 * Stores the calibration of a completed order, and advances the calibration plan if it is passed.
 *
 * @throws AppError NOT_FOUND on calibration.certificate_attachment_id, unless it is an attachment of the asset
 */
export async function recordCalibration(
  context: Context,
  { order, calibration, timeZone, at, by }: Recorded,
  session: ClientSession,
): Promise<Calibration> {
  const { workspaceId, assetId, pmScheduleId } = order;
  const { certificateAttachmentId } = calibration;
  const field = "calibration.certificate_attachment_id";
  await requireCertificate(context, { workspaceId, assetId, certificateAttachmentId, field }, session);
  const performedOn = calibration.performedOn ?? order.completedOn ?? at.toISOString().slice(0, 10);
  const recorded: Calibration = {
    ...calibration,
    ...{ id: newId("cal"), workspaceId, assetId, pmScheduleId, workOrderId: order.id },
    ...{ performedOn, createdAt: at, createdBy: by },
  };
  await context.stores.calibrations.insert(workspaceId, recorded, session);
  await advanceByCalibration(context, recorded, { at, timeZone }, session);
  return recorded;
}

/** @throws AppError NOT_FOUND on the field, unless the certificate is an attachment of the asset */
export async function requireCertificate(
  { stores }: Context,
  {
    workspaceId,
    assetId,
    certificateAttachmentId,
    field,
  }: Pick<Calibration, "workspaceId" | "assetId" | "certificateAttachmentId"> & { field: string },
  session: ClientSession,
): Promise<void> {
  if (certificateAttachmentId === undefined) return;
  const attachment = await stores.attachments.get(workspaceId, certificateAttachmentId, session);
  if (attachment?.assetId !== assetId) throw unknownReferences([field]);
}
