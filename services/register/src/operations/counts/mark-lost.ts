import type { Call } from "@asset-register/rpc";
import { conflict, requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { HistoryAction } from "../../domain/assets/history.ts";
import { assertNotDisposed } from "../../domain/custody/movement.ts";
import { historyEntry, saveAssetChange } from "../assets/save-asset-change.ts";
import { existing, listStatuses } from "../assets/statuses.ts";
import { type CausedEffect, onceForCause } from "../custody/once-for-cause.ts";

export type MarkLost = {
  workspaceId: string;
  assetId: string;
  sessionId: string;
  causeId: string;
  note?: string | undefined;
  /** Until when the stock-take knows what happened to the asset. A release before this one did not say. */
  seenUntil?: Date | undefined;
};

/** After these, an asset that a stock-take did not find is no longer missing. */
const SEEN_AGAIN = ["moved", "checked_out", "returned", "counted"] as const satisfies HistoryAction[];

/**
 * Sets the status Lost of an asset that a stock-take did not find, also while it is checked out.
 * @throws AppError ASSET_DISPOSED; ASSET_MOVED_SINCE if somebody had the asset in hand after `seenUntil`
 */
export async function markLost(context: Context, input: MarkLost, call: Call): Promise<CausedEffect> {
  const { stores, now } = context;
  const { workspaceId, assetId, causeId, note, seenUntil } = input;
  const statuses = await listStatuses(context, workspaceId);
  const lost = existing(
    statuses.find(({ key }) => key === "lost"),
    workspaceId,
    "lost",
  );

  return onceForCause(context, call, input, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, assetId, session), "asset", "asset_id");
    assertNotDisposed(before);
    // The history has the time at which it was done: a movement may be dated earlier.
    if (seenUntil && (await stores.history.hasSince(workspaceId, assetId, SEEN_AGAIN, seenUntil, session)))
      throw movedSince(before.id);
    const at = now();
    if (before.statusId === lost.id) {
      const row = { at, action: "counted" as const, changes: [], note, causeId, assetRev: before.rev };
      await stores.history.append(workspaceId, [historyEntry(call, before, row)], session);
      return { assetRev: before.rev };
    }
    const changes = [{ field: "status_id", before: before.statusId, after: lost.id }];
    const change = {
      ...{ before, at, causeId },
      fields: { statusId: lost.id },
      history: [{ action: "status" as const, changes, note }],
    };
    const { rev: assetRev } = await saveAssetChange(context, call, change, session);
    return { assetRev };
  });
}

const movedSince = (assetId: string) =>
  conflict("ASSET_MOVED_SINCE", "The asset was moved, issued, returned or counted after the reconcile.", [
    { field: "asset_id", message: assetId },
  ]);
