import type { Call, Patch } from "@asset-register/rpc";
import { conflict, requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Contract, ContractFields } from "../../domain/contract.ts";
import type { ContractView } from "../../encode/contract.ts";
import { contractUpdated } from "../../published.ts";
import { today } from "../today.ts";
import { assertPeriod } from "./create-contract.ts";

export type UpdateContract = { id: string; change: Patch<ContractFields>; ifRevIn: readonly number[] };

/** Changes fields. Equal values write nothing. @throws AppError CONTRACT_CANCELLED */
export async function updateContract(
  context: Context,
  { id, change, ifRevIn }: UpdateContract,
  call: Call,
): Promise<ContractView> {
  const { mongo, outbox, stores, now } = context;
  const { workspaceId } = call;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.contracts.get(workspaceId, id, session), "contract");
    requireRev(before.rev, ifRevIn);
    assertNotCancelled(before);
    // The cast holds because the decoder refuses to clear a required field.
    const after = { ...before, ...change, rev: before.rev + 1 } as Contract;
    const fields = Object.keys(change) as (keyof ContractFields)[];
    const changed = fields.filter((field) => before[field] !== after[field]);
    assertPeriod(after);
    const at = now();
    const contract = changed.length === 0 ? before : after;
    if (changed.length > 0) {
      await stores.contracts.save(workspaceId, after, before.rev, session);
      await outbox.add(session, contractUpdated(after, changed, at));
    }
    const asset = await stores.assets.get(workspaceId, contract.assetId, session);
    return { contract, asset, today: today(at, timeZone) };
  });
}

/** @throws AppError CONTRACT_CANCELLED */
export function assertNotCancelled({ cancelledAt }: Contract): void {
  if (cancelledAt !== undefined) {
    throw conflict("CONTRACT_CANCELLED", "The contract is cancelled, and can't be changed any more.");
  }
}
