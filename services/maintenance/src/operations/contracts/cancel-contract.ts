import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { ContractView } from "../../domain/contracts/contract.ts";
import { contractCancelled } from "../../published.ts";
import { type ContractAtRev, changeContract } from "./change-contract.ts";

/** Ends a contract for good. @throws AppError CONTRACT_CANCELLED */
export function cancelContract(context: Context, input: ContractAtRev, call: Call): Promise<ContractView> {
  return changeContract(context, input, call, (before, at) => {
    const contract = { ...before, cancelledAt: at, rev: before.rev + 1 };
    return { contract, event: contractCancelled(contract, at) };
  });
}
