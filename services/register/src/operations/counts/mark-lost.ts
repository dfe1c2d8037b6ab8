import type { Call } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { assertNotDisposed } from "../../domain/movement.ts";
import { type CausedEffect, onceForCause } from "../once-for-cause.ts";
import { historyEntry, saveAssetChange } from "../save-asset-change.ts";
import { existing, listStatuses } from "../statuses.ts";

export type MarkLost = {
  workspaceId: string;
  assetId: string;
  sessionId: string;
  causeId: string;
  note?: string | undefined;
};

/** Sets the status Lost of an asset that a stock-take did not find, also while it is checked out. */
export async function markLost(context: Context, input: MarkLost, call: Call): Promise<CausedEffect> {
  const { stores, now } = context;
  const { workspaceId, assetId, causeId, note } = input;
  const statuses = await listStatuses(context, workspaceId);
  const lost = existing(
    statuses.find(({ key }) => key === "lost"),
    workspaceId,
    "lost",
  );

  return onceForCause(context, call, input, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, assetId, session), "asset", "asset_id");
    assertNotDisposed(before);
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
