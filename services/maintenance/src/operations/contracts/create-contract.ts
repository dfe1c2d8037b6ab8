import type { Call } from "@asset-register/rpc";
import { invalid, newId, requireFound } from "@asset-register/runtime";
import { requireWorkspace } from "@asset-register/service";
import type { Context } from "../../context.ts";
import type { Contract, ContractFields, ContractView } from "../../domain/contracts/contract.ts";
import { contractCreated } from "../../published.ts";
import { findAsset } from "../assets/find-asset.ts";
import { today } from "../today.ts";

export type NewContract = ContractFields & { assetId: string };

/** Creates a contract, also about a disposed asset. @throws AppError NOT_FOUND on asset_id */
export async function createContract(
  context: Context,
  input: NewContract,
  call: Call,
): Promise<ContractView> {
  const { mongo, outbox, stores, now } = context;
  const { workspaceId, actor } = call;
  const { currency, timeZone } = await requireWorkspace(context, workspaceId);
  assertPeriod(input);
  const found = await findAsset(context, input.assetId, call);
  const asset = requireFound(found?.deleted ? undefined : found, "asset", "asset_id");
  return mongo.transaction(call, async (session) => {
    const at = now();
    const contract: Contract = {
      ...input,
      ...{ id: newId("ctr"), workspaceId, currency, createdAt: at, createdBy: actor, rev: 1 },
    };
    await stores.contracts.insert(workspaceId, contract, session);
    const day = today(at, timeZone);
    await outbox.add(session, contractCreated(contract, at, day));
    return { contract, asset, today: day };
  });
}

/** @throws AppError VALIDATION_FAILED on ends_on for an end before the start */
export function assertPeriod({ startsOn, endsOn }: Pick<Contract, "startsOn" | "endsOn">): void {
  if (endsOn === undefined || endsOn >= startsOn) return;
  throw invalid([{ field: "ends_on", message: "must not be before starts_on" }]);
}
