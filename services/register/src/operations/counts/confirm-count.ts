import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { conflict, newId, requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import { assertNotDisposed, move } from "../../domain/custody/movement.ts";
import { placeOf } from "../../domain/organisation/place.ts";
import { historyEntry, saveAssetChange } from "../assets/save-asset-change.ts";
import { listStatuses } from "../assets/statuses.ts";
import { type CausedEffect, onceForCause } from "../custody/once-for-cause.ts";
import { findReferences } from "../organisation/find-references.ts";

export type ConfirmCount = {
  workspaceId: string;
  assetId: string;
  locationId: string;
  scannedAt: Date;
  sessionId: string;
  sessionName: string;
  causeId: string;
  restoreStatus: boolean;
};

/**
 * Moves an asset to where a stock-take found it, at the time of the scan. Where it is there already, only the history
 * says that it was counted. A lost asset gets back its earlier status if the caller asks for it.
 */
export async function confirmCount(context: Context, input: ConfirmCount, call: Call): Promise<CausedEffect> {
  const { stores, now } = context;
  const { workspaceId, assetId, locationId, scannedAt, sessionId, causeId } = input;
  // Seeds the statuses if need be, which a transaction could not do.
  const statuses = await listStatuses(context, workspaceId);
  const lost = statuses.find(({ key }) => key === "lost")?.id;
  const fallback = statuses.find(({ isDefault }) => isDefault)?.id;

  return onceForCause(context, call, input, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, assetId, session), "asset", "asset_id");
    const references = { location_id: { id: locationId, kind: "location" } } as const;
    const { location_id: location } = await findReferences(context, workspaceId, references, session);
    assertNotDisposed(before);
    const at = now();
    const moved = move(
      before,
      { location: location && { ...placeOf(location), id: location.id } },
      {
        movementId: newId("mov"),
        ...{ reason: "stock-take", ref: sessionId, at: scannedAt, by: call.actor, causeId },
      },
    );
    if (moved && before.lastMovedAt && before.lastMovedAt > scannedAt) throw movedSince(before.id);
    const statusId =
      input.restoreStatus && before.statusId === lost
        ? ((await statusBefore(context, before, session)) ?? fallback)
        : undefined;
    const history = [
      ...(moved ? [] : [{ action: "counted" as const, changes: [], note: noteOf(input) }]),
      ...(statusId === undefined ? [] : [restored(before, statusId, noteOf(input))]),
    ];
    if (!moved && statusId === undefined) {
      const rows = history.map((row) =>
        historyEntry(call, before, { ...row, at, causeId, assetRev: before.rev }),
      );
      await stores.history.append(workspaceId, rows, session);
      return { assetRev: before.rev };
    }
    const fields = statusId === undefined ? {} : { statusId };
    const change = { before, at, fields, history, move: moved, causeId };
    const { rev: assetRev } = await saveAssetChange(context, call, change, session);
    return { assetRev, movementId: moved?.movement.id };
  });
}

const noteOf = ({ sessionName }: ConfirmCount): string => `stock-take ${sessionName}`;

const restored = ({ statusId: before }: Asset, after: string, note: string) => ({
  action: "status" as const,
  changes: [{ field: "status_id", before, after }],
  note,
});

/** The status that an asset had before it got the present one. */
async function statusBefore(
  { stores }: Context,
  { workspaceId, id, statusId }: Asset,
  session: ClientSession,
): Promise<string | undefined> {
  const row = await stores.history.lastStatusTo(workspaceId, id, statusId, session);
  return row?.changes.find(({ field }) => field === "status_id")?.before;
}

const movedSince = (assetId: string) =>
  conflict("ASSET_MOVED_SINCE", "The asset was moved after the scan.", [
    { field: "asset_id", message: assetId },
  ]);
