import {
  WorkOrderPriority,
  WorkOrderService,
  WorkOrderStatus,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { enumOf } from "../http/fields.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { idFilter } from "../http/schemas.ts";
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
  const { create, act, patch } = writeRoutes(app, clients, "b");

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

  create("/work-orders", {
    summary: "Create a work order",
    access: { capability: "edit" },
    rpc: createWorkOrder,
    record: workOrder,
    body: newWorkOrderSchema,
    toRequest: (given, caller) => ({ workOrder: toNewWorkOrder(given, caller) }),
  });

  patch("/work-orders/:id", {
    summary: "Change a work order",
    access: { capability: "edit" },
    rpc: updateWorkOrder,
    record: workOrder,
    patch: workOrderPatch,
  });

  act("/work-orders/:id/status", {
    summary: "Set the status of a work order",
    description:
      "`open` can become `in_progress`, `on_hold` or `cancelled`; `in_progress` can become `on_hold`, `completed` or `cancelled`; `on_hold` can become `in_progress` or `cancelled`; `completed` can become `in_progress`. Anything else is `WORK_ORDER_STATE`, also the present status.",
    access: { capability: "edit" },
    rpc: changeWorkOrderStatus,
    record: workOrder,
    body: newWorkOrderStatusSchema,
    toRequest: toNewWorkOrderStatus,
  });
};
