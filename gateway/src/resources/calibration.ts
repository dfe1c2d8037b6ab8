import {
  CalibrationOutcome,
  CalibrationSchema,
} from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { enumOf } from "../http/fields.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, named, nullable, textOf } from "../http/schemas.ts";
import { defaulted, fixed, listOf, optional, required } from "../http/writable.ts";

export const calibration = resource(CalibrationSchema, "Calibration", {
  id: id("cal"),
  asset_id: id("ast"),
  asset_disposed: Type.Boolean(),
  pm_schedule_id: fixed(
    optional(id("pms", "A calibration plan of the asset. Without it, it counts for all of them"), {
      shown: { description: "Null: it counts for all calibration plans of the asset" },
    }),
  ),
  work_order_id: nullable(id("wo", "The order whose completion recorded it")),
  result: fixed(required(enumOf(CalibrationOutcome))),
  performed_on: fixed(
    defaulted(
      Type.String({ format: "date", description: "Not later than today", examples: ["2026-01-31"] }),
      { shown: { description: undefined } },
    ),
  ),
  performed_by: fixed(optional(named("Ada Byron"))),
  measured: fixed(
    defaulted(
      listOf(
        {
          name: required(named("Pressure")),
          value: required(Type.Number({ examples: [2.01] })),
          unit: optional(textOf(limits.code, "bar")),
          tolerance: optional(Type.Number({ description: "Greatest accepted deviation", examples: [0.05] }), {
            shown: { description: undefined },
          }),
        },
        { maxItems: limits.measured },
      ),
    ),
  ),
  certificate_attachment_id: fixed(
    optional(id("att", "An attachment of the asset"), { shown: nullable(id("att")) }),
  ),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
});

export const newCalibrationSchema = newBody(calibration, {
  title: "NewCalibration",
  examples: [{ result: "passed", performed_on: "2026-01-31" }],
});
export const toNewCalibration = requestMessage(CalibrationSchema, newCalibrationSchema);
