import {
  type WorkOrderPartSchema,
  WorkOrderPriority,
  type WorkOrderSchema,
  WorkOrderStatus,
  type WorkOrderStatusChangeSchema,
  WorkOrderType,
} from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { encodeActor, encodeInstants, encodeMoney, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { downtimeMinutes } from "../domain/work-orders/downtime.ts";
import type { Part, StatusEntry, WorkOrderView } from "../domain/work-orders/work-order.ts";
import { totalCost } from "../domain/work-orders/work-order-cost.ts";

export const workOrderTypeNames = enumNames(WorkOrderType);
export const workOrderPriorityNames = enumNames(WorkOrderPriority);
export const workOrderStatusNames = enumNames(WorkOrderStatus);

export function encodeWorkOrder({
  order,
  at,
  asset,
  history = [],
}: WorkOrderView): MessageInitShape<typeof WorkOrderSchema> {
  const { workspaceId: _, downSince: __, downtimeMs: ___, currency, ...record } = order;
  return {
    ...encodeInstants(record),
    type: workOrderTypeNames.encode(record.type),
    priority: workOrderPriorityNames.encode(record.priority),
    status: workOrderStatusNames.encode(record.status),
    labourRate: encodeMoney(record.labourRate, currency),
    parts: record.parts.map((part) => encodePart(part, currency)),
    otherCost: encodeMoney(record.otherCost, currency),
    totalCost: encodeMoney(totalCost(record), currency),
    downtimeMinutes: downtimeMinutes(order, at),
    statusHistory: history.map(encodeStatusEntry),
    createdBy: encodeActor(record.createdBy),
    assetName: asset?.name,
    assetDisposed: asset?.disposed ?? false,
  };
}

const encodePart = (
  { name, quantity, unitCost }: Part,
  currency: string,
): MessageInitShape<typeof WorkOrderPartSchema> => ({
  name,
  quantity,
  unitCost: encodeMoney(unitCost, currency),
});

const encodeStatusEntry = ({
  status,
  at,
  by,
  note,
}: StatusEntry): MessageInitShape<typeof WorkOrderStatusChangeSchema> => ({
  ...encodeInstants({ at, note }),
  status: workOrderStatusNames.encode(status),
  by: encodeActor(by),
});
