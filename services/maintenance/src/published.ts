import { auditEvent } from "@asset-register/audit";
import { type OutgoingEvent, recordEvent } from "@asset-register/events";
import { topics } from "@asset-register/proto/topics";
import { snakeCase } from "@asset-register/runtime";
import type { Contract } from "./domain/contracts/contract.ts";
import { contractStatus } from "./domain/contracts/contract-status.ts";
import type { WorkOrder, WorkOrderStatus } from "./domain/work-orders/work-order.ts";
import { contractStatusNames, encodeContract } from "./encode/contract.ts";
import { encodeWorkOrder, workOrderStatusNames } from "./encode/work-order.ts";

/** Topics of the outbox. */
export const published = [topics.workOrder, topics.contract, topics.audit];

/** The entries of the audit log. */
export const scheduleAudit = auditEvent<`pm_schedule.${"created" | "changed" | "deleted"}`>;

type WorkOrderEvent = OutgoingEvent<typeof topics.workOrder.schema>;
type WorkOrderChange = NonNullable<WorkOrderEvent["message"]>["change"];

export const workOrderCreated = (order: WorkOrder, time: Date): WorkOrderEvent =>
  workOrderEvent(order, { case: "created", value: {} }, time);

export const workOrderUpdated = (order: WorkOrder, fields: readonly string[], time: Date): WorkOrderEvent =>
  workOrderEvent(order, { case: "updated", value: { fields: fields.map(snakeCase) } }, time);

export const workOrderStatusChanged = (
  order: WorkOrder,
  { before, note, at }: { before: WorkOrderStatus; note?: string | undefined; at: Date },
): WorkOrderEvent =>
  workOrderEvent(
    order,
    { case: "statusChanged", value: { before: workOrderStatusNames.encode(before), note } },
    at,
  );

function workOrderEvent(order: WorkOrder, change: WorkOrderChange, time: Date): WorkOrderEvent {
  return recordEvent(topics.workOrder, order, {
    type: `work-order.${snakeCase(change?.case ?? "")}`,
    message: { state: encodeWorkOrder({ order, at: time }), change },
    time,
  });
}

export type ContractEvent = OutgoingEvent<typeof topics.contract.schema>;
type ContractChange = NonNullable<ContractEvent["message"]>["change"];

/** `today` is the day of the workspace. */
export const contractCreated = (contract: Contract, time: Date, today: string): ContractEvent =>
  contractEvent(contract, { case: "created", value: { status: statusOn(contract, today) } }, time);

/** `today` is the day of the workspace. */
export const contractUpdated = (
  contract: Contract,
  fields: readonly string[],
  time: Date,
  today: string,
): ContractEvent => {
  const value = { fields: fields.map(snakeCase), status: statusOn(contract, today) };
  return contractEvent(contract, { case: "updated", value }, time);
};

export const contractCancelled = (contract: Contract, time: Date): ContractEvent =>
  contractEvent(contract, { case: "cancelled", value: {} }, time);

/** The present state, for `events republish`. */
export const contractState = (contract: Contract, time: Date): ContractEvent =>
  contract.cancelledAt === undefined
    ? contractEvent(contract, { case: "updated", value: {} }, time)
    : contractCancelled(contract, time);

const statusOn = (contract: Contract, today: string) =>
  contractStatusNames.encode(contractStatus(contract, today));

function contractEvent(contract: Contract, change: ContractChange, time: Date): ContractEvent {
  return recordEvent(topics.contract, contract, {
    type: `contract.${change?.case}`,
    message: { state: encodeContract({ contract }), change },
    time,
  });
}
