import { CalibrationService } from "@asset-register/proto/assetregister/maintenance/v1/calibration_pb";
import { MeterReadingService } from "@asset-register/proto/assetregister/maintenance/v1/meter_reading_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { created, forward } from "../http/context.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { calibration, newCalibrationSchema, toNewCalibration } from "../resources/calibration.ts";
import { meterReading, newMeterReadingSchema, toNewMeterReading } from "../resources/meter-reading.ts";
import type { Surface } from "../surface.ts";

const { createCalibration, getCalibration, listCalibrations } = CalibrationService.method;
const { createMeterReading, getMeterReading, listMeterReadings } = MeterReadingService.method;
const unconditional = "it adds a record and overwrites nothing";

/** Calibrations and meter readings: records of an asset that never change. */
export const calibrations: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

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

  app.post(
    "/assets/:id/calibrations",
    {
      config: { ...declared({ capability: "edit" }, createCalibration), unconditional },
      schema: {
        summary: "Record a calibration of an asset",
        description: "A passed one moves the due date of its calibration plan. It completes no work order.",
        params: idParams,
        body: newCalibrationSchema,
        response: { 201: calibration.schema },
      },
    },
    async (request, reply) => {
      const given = { ...toNewCalibration(request.body), assetId: request.params.id };
      const answer = await clients.calibrations.createCalibration(
        { calibration: given },
        forward(request, reply),
      );
      const made = calibration.present(required(answer.calibration));
      created(reply, `/asset_manager_api/calibrations/${made.id}`);
      return made;
    },
  );

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

  app.post(
    "/assets/:id/meter-readings",
    {
      config: { ...declared({ capability: "edit" }, createMeterReading), unconditional },
      schema: {
        summary: "Add a meter reading of an asset",
        params: idParams,
        body: newMeterReadingSchema,
        response: { 201: meterReading.schema },
      },
    },
    async (request, reply) => {
      const given = { ...toNewMeterReading(request.body), assetId: request.params.id };
      const answer = await clients.meterReadings.createMeterReading(
        { meterReading: given },
        forward(request, reply),
      );
      const made = meterReading.present(required(answer.meterReading));
      created(reply, `/asset_manager_api/meter-readings/${made.id}`);
      return made;
    },
  );
};
