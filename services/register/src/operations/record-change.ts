import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import { type Asset, changed } from "../domain/asset.ts";
import type { Checkout } from "../domain/checkout.ts";
import type { Change, HistoryAction, HistoryEntry } from "../domain/history.ts";
import type { Move } from "../domain/movement.ts";
import { assetMoved, assetUpdated, checkoutChanged, type PublishedSchema } from "../published.ts";
import type { Register } from "../register.ts";
import { existing } from "./know-statuses.ts";

/** What is to happen to an asset in one transaction. */
export type AssetChange = {
  /** As it was loaded in this transaction. */
  before: Asset;
  at: Date;
  move?: Move | undefined;
  checkout?: { change: Partial<Asset>; checkout: Checkout; action: HistoryAction } | undefined;
};

/**
 * Writes a change of custody whole: the asset (if it is still what was loaded),
 * the movement, the history and the events. Answers the asset as it is now.
 */
export async function recordChange(
  { stores, outbox }: Register,
  call: Call,
  { before, at, move, checkout }: AssetChange,
  session: ClientSession,
): Promise<Asset> {
  const { workspaceId } = before;
  const asset = changed(before, { ...move?.change, ...checkout?.change }, at, call.actor);
  const status = await stores.statuses.get(workspaceId, asset.statusId, session);
  const { class: statusClass } = existing(status, workspaceId, asset.statusId);

  await stores.assets.save(workspaceId, asset, before.rev, session);
  if (move) await stores.movements.insert(workspaceId, move.movement, session);
  const entry = (action: HistoryAction, changes: Change[]): HistoryEntry => ({
    id: newId("his"),
    workspaceId,
    assetId: asset.id,
    at,
    actor: call.actor,
    action,
    changes,
    requestId: call.requestId,
  });
  const taken = checkout && [{ field: "checkout_id", after: checkout.checkout.id }];
  await stores.history.append(
    workspaceId,
    [
      ...(checkout && taken ? [entry(checkout.action, taken)] : []),
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
    assetUpdated(asset, statusClass, fields),
    ...(move ? [assetMoved(move.movement)] : []),
    ...(checkout ? [checkoutChanged(checkout.checkout, asset.checkoutCount, at)] : []),
  );
  return asset;
}
