import {
  type ContractSchema,
  ContractStatus,
  ContractType,
} from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { encodeActor, encodeInstants, encodeMoney, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ContractView } from "../domain/contracts/contract.ts";
import { contractStatus } from "../domain/contracts/contract-status.ts";

export const contractTypeNames = enumNames(ContractType);
export const contractStatusNames = enumNames(ContractStatus);

export function encodeContract({
  contract,
  today,
  asset,
}: ContractView): MessageInitShape<typeof ContractSchema> {
  const { workspaceId: _, currency, ...record } = contract;
  return {
    ...encodeInstants(record),
    type: contractTypeNames.encode(record.type),
    cost: encodeMoney(record.cost, currency),
    status: contractStatusNames.encode(today === undefined ? undefined : contractStatus(record, today)),
    createdBy: encodeActor(record.createdBy),
    assetName: asset?.name,
    assetDisposed: asset?.disposed ?? false,
  };
}
