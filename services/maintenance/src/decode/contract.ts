import type {
  CancelContractRequest,
  CreateContractRequest,
  ListContractsRequest,
  UpdateContractRequest,
} from "@asset-register/proto/assetregister/maintenance/v1/contract_pb";
import { limits } from "@asset-register/proto/limits";
import { field, parse, parsePatch } from "@asset-register/rpc";
import { queryPrefixes } from "@asset-register/runtime";
import { z } from "zod";
import { contractStatusNames, contractTypeNames } from "../encode/contract.ts";
import type { ContractAtRev } from "../operations/contracts/change-contract.ts";
import type { NewContract } from "../operations/contracts/create-contract.ts";
import type { UpdateContract } from "../operations/contracts/update-contract.ts";
import type { ContractFilter } from "../store/contracts.ts";
import { calendarDate } from "./calendar-date.ts";

const changeable = z.object({
  type: field.enum(contractTypeNames),
  provider: field.optionalText(limits.name),
  reference: field.optionalText(limits.line),
  startsOn: calendarDate,
  endsOn: calendarDate.optional(),
  cost: field.optionalAmount(),
  notes: field.optionalText(limits.description),
});

const newContract = changeable.extend({ assetId: field.id() });

export const decodeCreateContract = ({ contract }: CreateContractRequest): NewContract =>
  parse(newContract, contract ?? {});

const target = z.object({ id: field.id(), ifRevIn: z.array(z.number()) });

export function decodeUpdateContract({
  contract,
  updateMask,
  ifRevIn,
}: UpdateContractRequest): UpdateContract {
  const change = parsePatch(changeable, contract, updateMask);
  return { ...parse(target, { id: contract?.id, ifRevIn }), change };
}

export const decodeCancelContract = (request: CancelContractRequest): ContractAtRev => parse(target, request);

const days = z.object({ days: field.integer({ max: limits.days }).default(30) });
const expiring = z.object({ expiringDays: field.integer({ max: limits.days }).optional() });

export const decodeDays = (request: { days?: number | undefined }): number => parse(days, request).days;

export function decodeContractFilter(request: ListContractsRequest): ContractFilter {
  const { assetId, type, status, q } = request;
  return {
    ...{ assetId, ...parse(expiring, request) },
    type: contractTypeNames.decode(type),
    status: contractStatusNames.decode(status),
    prefixes: queryPrefixes(q ?? ""),
  };
}
