import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { ContractView } from "../../encode/contract.ts";
import { contractCancelled } from "../../published.ts";
import { today } from "../today.ts";
import { assertNotCancelled } from "./update-contract.ts";

export type ContractAtRev = { id: string; ifRevIn: readonly number[] };

/** Ends a contract for good. @throws AppError CONTRACT_CANCELLED */
export async function cancelContract(
  context: Context,
  { id, ifRevIn }: ContractAtRev,
  call: Call,
): Promise<ContractView> {
  const { mongo, outbox, stores, now } = context;
  const { workspaceId } = call;
  const { timeZone } = await requireWorkspace(context, workspaceId);
  return mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.contracts.get(workspaceId, id, session), "contract");
    requireRev(before.rev, ifRevIn);
    assertNotCancelled(before);
    const at = now();
    const contract = { ...before, cancelledAt: at, rev: before.rev + 1 };
    await stores.contracts.save(workspaceId, contract, before.rev, session);
    await outbox.add(session, contractCancelled(contract, at));
    const asset = await stores.assets.get(workspaceId, contract.assetId, session);
    return { contract, asset, today: today(at, timeZone) };
  });
}
