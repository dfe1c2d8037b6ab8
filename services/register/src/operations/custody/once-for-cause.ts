import { type ClientSession, retryOnDuplicateKey } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { invalid } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { HistoryEntry } from "../../domain/assets/history.ts";

/** An effect that another service causes. */
export type Cause = { workspaceId: string; assetId: string; causeId: string };

/** The result of an effect: the asset's rev after it, whether it wrote, and the movement if there was one. */
export type CausedEffect = { assetRev: number; changed?: boolean; movementId?: string | undefined };

/**
 * Runs an effect in a transaction, once for its cause: a repeat, whenever it comes, answers the first effect. `run`
 * keeps the cause on the row of the history that it writes; an effect that writes no row may run again.
 */
export function onceForCause(
  { mongo, stores }: Context,
  call: Call,
  { workspaceId, assetId, causeId }: Cause,
  run: (session: ClientSession) => Promise<CausedEffect>,
): Promise<CausedEffect> {
  // Of two equal calls at once, the unique index lets one pass. The other one then finds its row.
  return retryOnDuplicateKey(() =>
    mongo.transaction(call, async (session) => {
      const first = await stores.history.getByCause(workspaceId, causeId, session);
      if (!first) return run(session);
      assertSameAsset(first, assetId);
      const movement = await stores.movements.getByCause(workspaceId, causeId, session);
      return { assetRev: first.assetRev ?? 0, changed: true, movementId: movement?.id };
    }),
  );
}

function assertSameAsset(first: HistoryEntry, assetId: string): void {
  if (first.assetId === assetId) return;
  throw invalid([{ field: "cause_id", message: "has had an effect on another asset" }]);
}
