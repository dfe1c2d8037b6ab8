import type { ClientSession } from "@asset-register/mongo";
import type { Actor } from "@asset-register/rpc";
import { invalid, newId, unknownReferences } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { assertNotLater } from "../domain/assert-not-later.ts";
import type { Calibration } from "../domain/calibration.ts";
import type { WorkOrder } from "../domain/work-order.ts";

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

/**
 * Stores the calibration of a completed order.
 *
 * @throws AppError NOT_FOUND on calibration.certificate_attachment_id, unless it is an attachment of the asset
 */
export async function recordCalibration(
  { stores }: Pick<Context, "stores">,
  { order, calibration, at, by }: { order: WorkOrder; calibration: CalibrationResult; at: Date; by: Actor },
  session: ClientSession,
): Promise<Calibration> {
  const { workspaceId, assetId, pmScheduleId } = order;
  const { certificateAttachmentId } = calibration;
  if (certificateAttachmentId !== undefined) {
    const attachment = await stores.attachments.get(workspaceId, certificateAttachmentId, session);
    if (attachment?.assetId !== assetId) {
      throw unknownReferences(["calibration.certificate_attachment_id"]);
    }
  }
  const performedOn = calibration.performedOn ?? order.completedOn ?? at.toISOString().slice(0, 10);
  const recorded: Calibration = {
    ...calibration,
    ...{ id: newId("cal"), workspaceId, assetId, pmScheduleId, workOrderId: order.id },
    ...{ performedOn, createdAt: at, createdBy: by },
  };
  await stores.calibrations.insert(workspaceId, recorded, session);
  return recorded;
}
