import { CalibrationService } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { MeterReadingService } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { byId, readRoutes } from "../http/read-routes.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { calibration, newCalibrationSchema, toNewCalibration } from "../resources/calibration.ts";
import { meterReading, newMeterReadingSchema, toNewMeterReading } from "../resources/meter-reading.ts";
import type { Surface } from "../surface.ts";

const { createCalibration, getCalibration, listCalibrations } = CalibrationService.method;
const { createMeterReading, getMeterReading, listMeterReadings } = MeterReadingService.method;
const unconditional = "it adds a record and overwrites nothing";

/** Calibrations and meter readings: records of an asset that never change. */
export const calibrations: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create } = writeRoutes(app, clients, "b");

  list("/assets/:id/calibrations", {
    summary: "List the calibrations of an asset",
    access: { capability: "view" },
    rpc: listCalibrations,
    record: calibration,
    sorts: byId,
    path: (assetId) => ({ assetId }),
  });

  get("/calibrations/:id", {
    summary: "Retrieve one calibration",
    access: { capability: "view" },
    rpc: getCalibration,
    record: calibration,
  });

  create("/assets/:id/calibrations", {
    summary: "Record a calibration of an asset",
    description: "A passed one moves the due date of its calibration plan. It completes no work order.",
    access: { capability: "edit" },
    unconditional,
    rpc: createCalibration,
    record: calibration,
    collection: "/calibrations",
    body: newCalibrationSchema,
    toRequest: (given, _, assetId) => ({ calibration: { ...toNewCalibration(given), assetId } }),
  });

  list("/assets/:id/meter-readings", {
    summary: "List the meter readings of an asset",
    access: { capability: "view" },
    rpc: listMeterReadings,
    record: meterReading,
    sorts: byId,
    path: (assetId) => ({ assetId }),
  });

  get("/meter-readings/:id", {
    summary: "Retrieve one meter reading",
    access: { capability: "view" },
    rpc: getMeterReading,
    record: meterReading,
  });

  create("/assets/:id/meter-readings", {
    summary: "Add a meter reading of an asset",
    access: { capability: "edit" },
    unconditional,
    rpc: createMeterReading,
    record: meterReading,
    collection: "/meter-readings",
    body: newMeterReadingSchema,
    toRequest: (given, _, assetId) => ({ meterReading: { ...toNewMeterReading(given), assetId } }),
  });
};
