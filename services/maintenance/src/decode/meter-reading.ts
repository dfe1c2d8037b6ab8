import type {
  CreateMeterReadingRequest,
  UnitsOfRequest,
} from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse } from "@asset-register/rpc";
import { z } from "zod";
import type { NewMeterReading } from "../operations/meters/create-meter-reading.ts";
import type { UnitsOf } from "../operations/meters/units-of.ts";
import { thousandths } from "./thousandths.ts";

const newReading = z.object({
  assetId: field.id(),
  value: thousandths,
  unit: field.optionalText(limits.code),
  readAt: field.optionalInstant(),
  reset: z.boolean(),
});

export const decodeCreateMeterReading = ({ meterReading }: CreateMeterReadingRequest): NewMeterReading =>
  parse(newReading, meterReading ?? {});

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month, YYYY-MM");

const question = z.object({
  workspaceId: field.id(),
  assets: z
    .array(z.object({ assetId: field.id(), from: field.instant() }))
    .max(limits.meteredAssets, `must name at most ${limits.meteredAssets} assets`),
  months: z
    .array(month)
    .max(limits.usefulLifeMonths, `must name at most ${limits.usefulLifeMonths} months`)
    .refine(
      (months) => months.every((one, index) => index === 0 || one > (months[index - 1] ?? "")),
      "must be in ascending order",
    ),
});

export const decodeUnitsOf = (request: UnitsOfRequest): UnitsOf => parse(question, request);
