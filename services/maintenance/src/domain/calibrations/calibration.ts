import type { Actor } from "@asset-register/rpc";

export type CalibrationOutcome = "passed" | "failed";

/** A value that was measured. The tolerance is the greatest accepted deviation. */
export type Measured = {
  name: string;
  value: number;
  unit?: string | undefined;
  tolerance?: number | undefined;
};

/** A calibration of an asset. It never changes. */
export type Calibration = {
  id: string;
  workspaceId: string;
  assetId: string;
  /** Without it, the calibration counts for all plans of the asset. */
  pmScheduleId?: string | undefined;
  workOrderId?: string | undefined;
  result: CalibrationOutcome;
  /** YYYY-MM-DD. */
  performedOn: string;
  performedBy?: string | undefined;
  measured: Measured[];
  certificateAttachmentId?: string | undefined;
  createdAt: Date;
  createdBy: Actor;
};
