import {
  MeterDirectoryService,
  MeterReadingService,
} from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeCreateMeterReading, decodeUnitsOf } from "../decode/meter-reading.ts";
import { encodeMeterReading } from "../encode/meter-reading.ts";
import { listOfAsset } from "../operations/assets/list-of-asset.ts";
import { createMeterReading } from "../operations/meters/create-meter-reading.ts";
import { unitsOf } from "../operations/meters/units-of.ts";

export function meterReadingService(context: Context): Implementation {
  const { meterReadings, assets } = context.stores;
  return implement(MeterReadingService, {
    createMeterReading: command(
      decodeCreateMeterReading,
      (input, call) => createMeterReading(context, input, call),
      (reading) => ({ meterReading: encodeMeterReading(reading, false) }),
    ),

    async getMeterReading({ id }, { workspaceId }) {
      const reading = requireFound(await meterReadings.get(workspaceId, id), "meter reading");
      const asset = await assets.get(workspaceId, reading.assetId);
      return { meterReading: encodeMeterReading(reading, asset?.disposed ?? false) };
    },

    async listMeterReadings({ assetId, page }, call) {
      const list = () => meterReadings.list(call.workspaceId, assetId, pageRequest(page));
      const { disposed, ...found } = await listOfAsset(context, assetId, call, list);
      const all = found.items.map((reading) => encodeMeterReading(reading, disposed));
      return { meterReadings: all, page: pageInfo(found) };
    },
  });
}

/** Questions of other services. */
export function meterDirectoryService(context: Context): Implementation {
  return implement(MeterDirectoryService, {
    unitsOf: async (request) => ({ assets: await unitsOf(context, decodeUnitsOf(request)) }),
  });
}
