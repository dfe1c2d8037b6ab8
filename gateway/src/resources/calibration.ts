import {
  CalibrationOutcome,
  CalibrationSchema,
} from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { body, exampleId, id, instant, like, nullable } from "../http/schemas.ts";
import { calibrationResult } from "./work-order.ts";

export const calibration = resource(CalibrationSchema, "Calibration", {
  id: id("cal"),
  asset_id: id("ast"),
  asset_disposed: Type.Boolean(),
  pm_schedule_id: nullable(id("pms", "Null: it counts for all calibration plans of the asset")),
  work_order_id: nullable(id("wo", "The order whose completion recorded it")),
  result: enumOf(CalibrationOutcome),
  performed_on: Type.String({ format: "date", examples: ["2026-01-31"] }),
  performed_by: nullable(like("Ada Byron")),
  measured: Type.Array(
    Type.Object({
      name: like("Pressure"),
      value: Type.Number({ examples: [2.01] }),
      unit: nullable(like("bar")),
      tolerance: nullable(Type.Number({ examples: [0.05] })),
    }),
  ),
  certificate_attachment_id: nullable(id("att")),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
});

export const newCalibrationSchema = body(
  {
    ...calibrationResult,
    pm_schedule_id: Type.Optional(
      id("pms", "A calibration plan of the asset. Without it, it counts for all of them"),
    ),
  },
  { title: "NewCalibration", examples: [{ result: "passed", performed_on: "2026-01-31" }] },
);
export const toNewCalibration = requestMessage(CalibrationSchema, newCalibrationSchema);
