import type { Call, Patch } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { Contract, ContractFields, ContractView } from "../../domain/contracts/contract.ts";
import { contractUpdated } from "../../published.ts";
import { type ContractAtRev, changeContract } from "./change-contract.ts";
import { assertPeriod } from "./create-contract.ts";

export type UpdateContract = ContractAtRev & { change: Patch<ContractFields> };

/** Changes fields. Equal values write nothing. @throws AppError CONTRACT_CANCELLED */
export function updateContract(
  context: Context,
  { change, ...input }: UpdateContract,
  call: Call,
): Promise<ContractView> {
  return changeContract(context, input, call, (before, at, today) => {
    // The cast holds because the decoder refuses to clear a required field.
    const contract = { ...before, ...change, rev: before.rev + 1 } as Contract;
    const fields = Object.keys(change) as (keyof ContractFields)[];
    const changed = fields.filter((field) => before[field] !== contract[field]);
    assertPeriod(contract);
    if (changed.length === 0) return undefined;
    return { contract, event: contractUpdated(contract, changed, at, today) };
  });
}
