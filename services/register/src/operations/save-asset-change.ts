import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { type Change, newId } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { type Asset, changeAsset } from "../domain/asset.ts";
import type { Checkout } from "../domain/checkout.ts";
import type { HistoryAction, HistoryEntry } from "../domain/history.ts";
import type { Move } from "../domain/movement.ts";
import { assetMoved, assetUpdated, checkoutChanged, type PublishedSchema } from "../published.ts";
import { getStatus } from "./statuses.ts";

/** A change of custody. */
export type AssetChange = {
  /** The asset as it was read in this transaction. */
  before: Asset;
  at: Date;
  move?: Move | undefined;
  checkout?: { change: Partial<Asset>; checkout: Checkout; action: HistoryAction } | undefined;
};

/**
 * Saves a change of custody: the asset, the movement, the history and the events.
 * @returns the asset after the change
 * @throws AppError CONFLICT when another change of the asset came first
 */
export async function saveAssetChange(
  context: Context,
  call: Call,
  { before, at, move, checkout }: AssetChange,
  session: ClientSession,
): Promise<Asset> {
  const { stores, outbox } = context;
  const { workspaceId } = before;
  const asset = changeAsset(before, { ...move?.change, ...checkout?.change }, at, call.actor);
  const status = await getStatus(context, workspaceId, asset.statusId, session);

  await stores.assets.save(workspaceId, asset, before.rev, session);
  if (move) await stores.movements.insert(workspaceId, move.movement, session);
  const entry = (action: HistoryAction, changes: Change[]) =>
    historyEntry(call, asset, { at, action, changes });
  await stores.history.append(
    workspaceId,
    [
      ...(checkout ? [entry(checkout.action, [{ field: "checkout_id", after: checkout.checkout.id }])] : []),
      ...(move ? [entry("moved", move.changes)] : []),
    ],
    session,
  );
  const fields = [
    ...(move ? move.changes.map(({ field }) => field) : []),
    ...(checkout ? ["current_checkout"] : []),
  ];
  await outbox.add<PublishedSchema[]>(
    session,
    assetUpdated(asset, status.class, fields),
    ...(move ? [assetMoved(move.movement)] : []),
    ...(checkout ? [checkoutChanged(checkout.checkout, asset.checkoutCount, at)] : []),
  );
  return asset;
}

/** A new row of an asset's history. */
export function historyEntry(
  { actor, requestId }: Pick<Call, "actor" | "requestId">,
  { id: assetId, workspaceId }: Pick<Asset, "id" | "workspaceId">,
  what: Pick<HistoryEntry, "at" | "action" | "changes">,
): HistoryEntry {
  return { id: newId("his"), workspaceId, assetId, actor, requestId, ...what };
}
