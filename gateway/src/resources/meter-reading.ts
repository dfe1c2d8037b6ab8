import { MeterReadingSchema } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import { limits } from "@asset-register/proto/limits";
import Type from "typebox";
import { newBody } from "../http/bodies.ts";
import { requestMessage } from "../http/request-message.ts";
import { resource } from "../http/resource.ts";
import { exampleId, id, instant, like, nullable } from "../http/schemas.ts";
import { defaulted, fixed, optional, required } from "../http/writable.ts";

export const meterReading = resource(MeterReadingSchema, "MeterReading", {
  id: id("mrd"),
  asset_id: id("ast"),
  asset_disposed: Type.Boolean(),
  value: fixed(
    required(
      Type.Number({
        minimum: 0,
        maximum: limits.meterValue,
        description: "At most 3 decimals. It is between those of the readings before and after it",
        examples: [5200],
      }),
      { shown: { description: undefined } },
    ),
  ),
  unit: fixed(
    optional(
      Type.String({
        maxLength: limits.code,
        description: "That of the first reading by default",
        examples: ["h"],
      }),
      { shown: { description: undefined } },
    ),
  ),
  read_at: fixed(
    defaulted(instant("RFC 3339 with a time zone. Now by default, at most 5 minutes ahead"), {
      shown: instant(),
    }),
  ),
  reset: fixed(
    defaulted(
      Type.Boolean({ default: false, description: "Begins a new count, for example of a new meter" }),
      { shown: { description: "It began a new count" } },
    ),
  ),
  created_at: instant(),
  created_by: nullable(like(exampleId("usr"))),
});

export const newMeterReadingSchema = newBody(meterReading, {
  title: "NewMeterReading",
  examples: [{ value: 5200, unit: "h", read_at: "2026-01-31T09:30:00.000Z" }],
});
export const toNewMeterReading = requestMessage(MeterReadingSchema, newMeterReadingSchema);
