import type { MeterReadingSchema } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import { encodeActor, encodeInstants } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MeterReading } from "../domain/meters/meter-reading.ts";

export function encodeMeterReading(
  { workspaceId: _, dropped: __, ...reading }: MeterReading,
  assetDisposed: boolean,
): MessageInitShape<typeof MeterReadingSchema> {
  return { ...encodeInstants(reading), createdBy: encodeActor(reading.createdBy), assetDisposed };
}
