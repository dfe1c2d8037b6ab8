import { WorkOrderService } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { command, type Implementation, implement, pageInfo, pageRequest } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import {
  decodeChangeWorkOrderStatus,
  decodeCreateWorkOrder,
  decodeUpdateWorkOrder,
  decodeWorkOrderFilter,
} from "../decode/work-order.ts";
import { downtimeMinutes } from "../domain/work-orders/downtime.ts";
import type { WorkOrderView } from "../domain/work-orders/work-order.ts";
import { encodeWorkOrder } from "../encode/work-order.ts";
import { findAsset } from "../operations/assets/find-asset.ts";
import { changeWorkOrderStatus } from "../operations/work-orders/change-work-order-status.ts";
import { createWorkOrder } from "../operations/work-orders/create-work-order.ts";
import { updateWorkOrder } from "../operations/work-orders/update-work-order.ts";
import { viewWorkOrder, viewWorkOrders } from "../operations/work-orders/view-work-order.ts";

const encode = (view: WorkOrderView) => ({ workOrder: encodeWorkOrder(view) });

export function workOrderService(context: Context): Implementation {
  const { stores, now } = context;

  return implement(WorkOrderService, {
    createWorkOrder: command(
      decodeCreateWorkOrder,
      (input, call) => createWorkOrder(context, input, call),
      encode,
    ),
    updateWorkOrder: command(
      decodeUpdateWorkOrder,
      (input, call) => updateWorkOrder(context, input, call),
      encode,
    ),
    changeWorkOrderStatus: command(
      decodeChangeWorkOrderStatus,
      (input, call) => changeWorkOrderStatus(context, input, call),
      encode,
    ),

    async getWorkOrder({ id }, { workspaceId }) {
      const order = requireFound(await stores.workOrders.get(workspaceId, id), "work order");
      return encode(await viewWorkOrder(context, order));
    },

    async listWorkOrders(request, { workspaceId }) {
      const filter = decodeWorkOrderFilter(request);
      const found = await stores.workOrders.list(workspaceId, filter, pageRequest(request.page));
      const views = await viewWorkOrders(context, workspaceId, found.items);
      return { workOrders: views.map(encodeWorkOrder), page: pageInfo(found) };
    },

    async listAssetWorkOrders({ assetId, page }, call) {
      const { workspaceId } = call;
      requireFound(await findAsset(context, assetId, call), "asset");
      const found = await stores.workOrders.list(workspaceId, { assetId }, pageRequest(page));
      const views = await viewWorkOrders(context, workspaceId, found.items);
      const downtime = await stores.assets.getDowntime(workspaceId, assetId);
      return {
        workOrders: views.map(encodeWorkOrder),
        page: pageInfo(found),
        downtimeMinutes: downtimeMinutes(downtime, now()),
      };
    },
  });
}
