import {
  WorkOrderPriority,
  WorkOrderService,
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, created, forward } from "../http/context.ts";
import { enumOf } from "../http/fields.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idFilter, idParams } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  newWorkOrderSchema,
  newWorkOrderStatusSchema,
  toNewWorkOrder,
  toNewWorkOrderStatus,
  workOrder,
  workOrderPatch,
} from "../resources/work-order.ts";
import type { Surface } from "../surface.ts";

const { createWorkOrder, listWorkOrders, listAssetWorkOrders, getWorkOrder } = WorkOrderService.method;
const { updateWorkOrder, changeWorkOrderStatus } = WorkOrderService.method;

export const workOrders: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { patch } = writeRoutes(app, clients, "b");

  list("/work-orders", {
    summary: "List work orders",
    access: { capability: "view" },
    rpc: listWorkOrders,
    record: workOrder,
    sorts: byId,
    query: {
      status: Type.Optional(enumOf(WorkOrderStatus)),
      type: Type.Optional(enumOf(WorkOrderType)),
      asset_id: idFilter("ast"),
      assigned_to: idFilter("usr"),
      priority: Type.Optional(enumOf(WorkOrderPriority)),
      pm_schedule_id: idFilter("pms"),
      q: Type.Optional(
        Type.String({
          maxLength: limits.line,
          description: "Beginnings of words in title and description",
          examples: ["belt"],
        }),
      ),
    },
  });

  list("/assets/:id/work-orders", {
    summary: "List the work orders of an asset",
    access: { capability: "view" },
    rpc: listAssetWorkOrders,
    record: workOrder,
    sorts: byId,
    path: (assetId) => ({ assetId }),
    also: {
      downtime_minutes: Type.Integer({
        description: "How long the asset was down, until now. Orders at the same time count once.",
        examples: [90],
      }),
    },
  });

  get("/work-orders/:id", {
    summary: "Retrieve one work order",
    access: { capability: "view" },
    rpc: getWorkOrder,
    record: workOrder,
  });

  app.post(
    "/work-orders",
    {
      config: declared({ capability: "edit" }, createWorkOrder),
      schema: {
        summary: "Create a work order",
        body: newWorkOrderSchema,
        response: { 201: workOrder.schema },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const order = toNewWorkOrder(request.body, caller);
      const answer = await clients.workOrders.createWorkOrder({ workOrder: order }, forward(request, reply));
      const made = workOrder.present(required(answer.workOrder), caller.currencyDigits);
      created(reply, `/asset_manager_api/work-orders/${made.id}`);
      return made;
    },
  );

  patch("/work-orders/:id", {
    summary: "Change a work order",
    access: { capability: "edit" },
    rpc: updateWorkOrder,
    record: workOrder,
    patch: workOrderPatch,
  });

  app.post(
    "/work-orders/:id/status",
    {
      config: declared({ capability: "edit" }, changeWorkOrderStatus),
      schema: {
        summary: "Set the status of a work order",
        description:
          "`open` can become `in_progress`, `on_hold` or `cancelled`; `in_progress` can become `on_hold`, `completed` or `cancelled`; `on_hold` can become `in_progress` or `cancelled`; `completed` can become `in_progress`. Anything else is `WORK_ORDER_STATE`, also the present status.",
        params: idParams,
        body: newWorkOrderStatusSchema,
        response: { 200: workOrder.schema },
      },
    },
    async (request, reply) => {
      const change = { ...toNewWorkOrderStatus(request.body), id: request.params.id };
      const answer = await clients.workOrders.changeWorkOrderStatus(change, forward(request, reply));
      return workOrder.present(required(answer.workOrder), callerOf(request).currencyDigits);
    },
  );
};
