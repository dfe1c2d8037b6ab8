import { ContractService } from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { WorkOrderService } from "@asset-register/proto/assetregister/maintenance/v1/work_order_pb";
import { type ErrorCode, ofRpcs } from "./error-code.ts";

const { updateWorkOrder, changeWorkOrderStatus } = WorkOrderService.method;

/** Codes of maintenance and contracts. */
export const maintenanceCodes: ErrorCode[] = [
  ofRpcs({
    code: "WORK_ORDER_STATE",
    status: 409,
    cause:
      "The status of the work order forbids this. `errors` names it as `status`. In a completed order only notes, labour, parts and other cost can change, in a cancelled one nothing.",
    cure: "Read the work order, and do what its status allows. A completed order can be started again.",
    where: "Changes of work orders",
    rpcs: [updateWorkOrder, changeWorkOrderStatus],
  }),
  ofRpcs({
    code: "CONTRACT_CANCELLED",
    status: 409,
    cause: "The contract is cancelled, which is final.",
    cure: "Create another contract.",
    where: "Changing and cancelling contracts",
    rpcs: [ContractService.method.updateContract, ContractService.method.cancelContract],
  }),
];
