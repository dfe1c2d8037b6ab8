import {
  CalibrationOutcome,
  type CalibrationSchema,
} from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { encodeActor, encodeInstants, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Calibration } from "../domain/calibrations/calibration.ts";

export const calibrationOutcomeNames = enumNames(CalibrationOutcome);

/** A calibration as callers see it. */
export function encodeCalibration({
  calibration: { workspaceId: _, ...calibration },
  disposed,
}: {
  calibration: Calibration;
  disposed: boolean;
}): MessageInitShape<typeof CalibrationSchema> {
  return {
    ...encodeInstants(calibration),
    result: calibrationOutcomeNames.encode(calibration.result),
    createdBy: encodeActor(calibration.createdBy),
    assetDisposed: disposed,
  };
}
