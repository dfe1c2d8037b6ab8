import {
  DueListService,
  PmScheduleService,
  PmScheduleStatus,
} from "@asset-register/proto/assetregister/maintenance/v1/pm_schedule_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, created, forward } from "../http/context.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { generatedSchema, generateSchema, presentGenerated } from "../resources/generated-work-orders.ts";
import {
  dueRow,
  newPmScheduleSchema,
  pmSchedule,
  pmSchedulePatch,
  toNewPmSchedule,
} from "../resources/pm-schedule.ts";
import type { Surface } from "../surface.ts";

const { createPmSchedule, getPmSchedule, listPmSchedules } = PmScheduleService.method;
const { updatePmSchedule, deletePmSchedule, generateWorkOrders } = PmScheduleService.method;
const { listDueRows, listMaintenanceDue, listCalibrationsDue } = DueListService.method;

const dueQuery = {
  days: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.days,
      description: "Due within these days, overdue included. 30 by default",
      examples: [30],
    }),
  ),
};

export const pmSchedules: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, patch, remove } = writeRoutes(app, clients, "b");

  list("/pm-schedules", {
    summary: "List maintenance schedules",
    access: { capability: "manage" },
    rpc: listPmSchedules,
    record: pmSchedule,
    sorts: byId,
  });

  create("/pm-schedules", {
    summary: "Create a maintenance schedule",
    description:
      "For an asset, or for the assets of a category. For a large category the answer is 202: read the schedule until it is `active`. Work orders are only generated on request.",
    access: { capability: "manage" },
    rpc: createPmSchedule,
    record: pmSchedule,
    body: newPmScheduleSchema,
    toRequest: (given) => ({ pmSchedule: toNewPmSchedule(given) }),
    continues: ({ status }) => status === PmScheduleStatus.FILLING,
  });

  get("/pm-schedules/:id", {
    summary: "Retrieve one maintenance schedule",
    access: { capability: "manage" },
    rpc: getPmSchedule,
    record: pmSchedule,
  });

  patch("/pm-schedules/:id", {
    summary: "Change a maintenance schedule",
    access: { capability: "manage" },
    rpc: updatePmSchedule,
    record: pmSchedule,
    patch: pmSchedulePatch,
    continues: ({ status }) => status === PmScheduleStatus.FILLING,
  });

  remove("/pm-schedules/:id", {
    summary: "Delete a maintenance schedule",
    access: { capability: "manage" },
    rpc: deletePmSchedule,
  });

  list("/pm-schedules/:id/due", {
    summary: "List the due dates of a maintenance schedule",
    access: { capability: "view" },
    rpc: listDueRows,
    record: dueRow,
    sorts: byId,
    path: (pmScheduleId) => ({ pmScheduleId }),
  });

  app.post(
    "/pm-schedules/:id/generate",
    {
      config: declared({ capability: "edit" }, generateWorkOrders),
      schema: {
        summary: "Generate the work orders of a maintenance schedule",
        description:
          "Due or not. An unfinished order of the schedule and the asset is returned instead of a new one. 201 if the order of an asset was created, else 200.",
        params: idParams,
        body: generateSchema,
        response: { 200: generatedSchema, 201: generatedSchema },
      },
    },
    async (request, reply) => {
      const message = { id: request.params.id, assetIds: request.body.asset_ids ?? [] };
      const answer = await clients.pmSchedules.generateWorkOrders(message, forward(request, reply));
      const presented = presentGenerated(answer, callerOf(request).currencyDigits);
      if (answer.created && presented.work_order) {
        created(reply, `/asset_manager_api/work-orders/${presented.work_order.id}`);
      }
      return presented;
    },
  );

  list("/maintenance/due", {
    summary: "List the maintenance that is due",
    access: { capability: "view" },
    rpc: listMaintenanceDue,
    record: dueRow,
    query: dueQuery,
  });

  list("/calibrations/due", {
    summary: "List the calibrations that are due",
    access: { capability: "view" },
    rpc: listCalibrationsDue,
    record: dueRow,
    query: dueQuery,
  });
};
