import type { Call } from "@asset-register/rpc";
import { conflict, requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Contract, ContractView } from "../../domain/contracts/contract.ts";
import type { ContractEvent } from "../../published.ts";
import { today } from "../today.ts";

export type ContractAtRev = { id: string; ifRevIn: readonly number[] };

/**
 * Saves what `change` makes of a contract, with its event. Undefined writes nothing.
 *
 * @throws AppError CONTRACT_CANCELLED
 */
export async function changeContract(
  context: Context,
  { id, ifRevIn }: ContractAtRev,
  call: Call,
  change: (
    before: Contract,
    at: Date,
    today: string,
  ) => { contract: Contract; event: ContractEvent } | undefined,
): Promise<ContractView> {
  const { mongo, outbox, stores, now } = context;
  const { workspaceId } = call;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.contracts.get(workspaceId, id, session), "contract");
    requireRev(before.rev, ifRevIn);
    if (before.cancelledAt !== undefined) {
      throw conflict("CONTRACT_CANCELLED", "The contract is cancelled, and can't be changed any more.", [
        { field: "contract_id", message: id },
      ]);
    }
    const at = now();
    const day = today(at, timeZone);
    const changed = change(before, at, day);
    if (changed !== undefined) {
      await stores.contracts.save(workspaceId, changed.contract, before.rev, session);
      await outbox.add(session, changed.event);
    }
    const contract = changed?.contract ?? before;
    const asset = await stores.assets.get(workspaceId, contract.assetId, session);
    return { contract, asset, today: day };
  });
}
