import type { CreateCalibrationRequest } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import { calibrationOutcomeNames } from "../encode/calibration.ts";
import type { NewCalibration } from "../operations/calibrations/create-calibration.ts";
import { calendarDate } from "./calendar-date.ts";

const finite = z.number("is required").refine(Number.isFinite, "must be a number");

/** The result of a calibration, with or without a work order: the measured values, the person and the date. */
export const calibrationResult = z.object({
  result: field.enum(calibrationOutcomeNames),
  performedOn: calendarDate.optional(),
  performedBy: field.optionalText(limits.name),
  measured: z
    .array(
      z.object({
        name: field.text(limits.name),
        value: finite,
        unit: field.optionalText(limits.code),
        tolerance: finite.optional(),
      }),
    )
    .max(limits.measured, `must have at most ${limits.measured} values`),
  certificateAttachmentId: field.optionalId(),
});

const newCalibration = calibrationResult.extend({
  assetId: field.id(),
  pmScheduleId: field.optionalId(),
  // In the record it is always present, so in the message of a new one it may be empty.
  performedOn: z
    .string()
    .transform((date) => date || undefined)
    .pipe(calendarDate.optional()),
});

export const decodeCreateCalibration = ({ calibration }: CreateCalibrationRequest): NewCalibration =>
  parse(newCalibration, calibration ?? {});
