import { CalibrationOutcome } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { enumNames } from "@asset-register/rpc";

export const calibrationOutcomeNames = enumNames(CalibrationOutcome);
