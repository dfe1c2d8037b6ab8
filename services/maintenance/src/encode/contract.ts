import {
  type ContractSchema,
  ContractStatus,
  ContractType,
} from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { encodeActor, encodeInstants, encodeMoney, enumNames } from "@asset-register/rpc";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { KnownAsset } from "../domain/asset.ts";
import type { Contract } from "../domain/contract.ts";
import { contractStatus } from "../domain/contract-status.ts";

export const contractTypeNames = enumNames(ContractType);
export const contractStatusNames = enumNames(ContractStatus);

/** A contract as callers see it on a day. Events have neither the status nor anything of the asset. */
export type ContractView = { contract: Contract; today?: string | undefined; asset?: KnownAsset | undefined };

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
