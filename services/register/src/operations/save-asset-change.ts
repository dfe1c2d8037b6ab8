import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { type Asset, changeAsset, netBookValue } from "../domain/asset.ts";
import type { Checkout } from "../domain/checkout.ts";
import type { HistoryAction, HistoryEntry } from "../domain/history.ts";
import type { Move } from "../domain/movement.ts";
import type { Status } from "../domain/status.ts";
import {
  assetDeleted,
  assetDisposed,
  assetMoved,
  assetUpdated,
  checkoutChanged,
  type PublishedSchema,
} from "../published.ts";
import { getStatus } from "./statuses.ts";

/** A row for the history of an asset. */
export type NewHistoryEntry = Pick<
  HistoryEntry,
  "at" | "action" | "changes" | "note" | "causeId" | "assetRev"
>;

/** One change of an asset: at most one of each part. */
export type AssetChange = {
  /** The asset as it was read in this transaction. */
  before: Asset;
  at: Date;
  /** Changed fields, without those of `move` and `checkout`. */
  fields?: Partial<Asset> | undefined;
  /** Rows of the history, without those of `move` and `checkout`. Their changes name the fields of the event. */
  history?: readonly Omit<NewHistoryEntry, "at">[] | undefined;
  move?: Move | undefined;
  checkout?: { change: Partial<Asset>; checkout: Checkout; action: HistoryAction } | undefined;
  /** The cause of an effect for another service. The first row of the history keeps it. */
  causeId?: string | undefined;
};

/** Who changes an asset. */
type Cause = Pick<Call, "actor" | "requestId">;

/**
 * Saves a change in the caller's transaction: the asset with the next rev, the movement, the history and the events.
 * @returns the asset after the change
 * @throws AppError CONFLICT when another change of the asset came first
 */
export async function saveAssetChange(
  context: Pick<Context, "stores" | "outbox">,
  call: Cause,
  { before, at, fields, history = [], move, checkout, causeId }: AssetChange,
  session: ClientSession,
): Promise<Asset> {
  const { stores, outbox } = context;
  const { workspaceId } = before;
  const changed = changeAsset(before, { ...fields, ...move?.change, ...checkout?.change }, at, call.actor);
  const asset = { ...changed, nbv: netBookValue(changed) };
  const status = await getStatus(context, workspaceId, asset.statusId, session);

  await stores.assets.save(workspaceId, asset, before.rev, session);
  if (asset.nbv !== before.nbv) await stores.assets.setBookValue(asset, session);
  if (move) await stores.movements.insert(workspaceId, move.movement, session);
  const rows: Omit<NewHistoryEntry, "at">[] = [...history];
  if (checkout) {
    rows.push({ action: checkout.action, changes: [{ field: "checkout_id", after: checkout.checkout.id }] });
  }
  if (move) rows.push({ action: "moved", changes: move.changes });
  await stores.history.append(
    workspaceId,
    rows.map((row, index) => {
      const cause = index === 0 && causeId !== undefined ? { causeId, assetRev: asset.rev } : {};
      return historyEntry(call, asset, { ...row, at, ...cause });
    }),
    session,
  );
  const changes = [...history.flatMap((row) => row.changes), ...(move?.changes ?? [])];
  const names = changes.map(({ field }) => field);
  if (checkout) names.push("current_checkout");
  await outbox.add<PublishedSchema[]>(
    session,
    assetChanged(before, asset, status, names),
    ...(move ? [assetMoved(move.movement)] : []),
    ...(checkout ? [checkoutChanged(checkout.checkout, asset.checkoutCount, at)] : []),
  );
  return asset;
}

function assetChanged(before: Asset, asset: Asset, status: Status, fields: string[]) {
  if (asset.deletedAt && !before.deletedAt) return assetDeleted(asset, status);
  if (asset.disposed && !before.disposed) return assetDisposed(asset, status);
  return assetUpdated(asset, status, fields);
}

/** A new row of an asset's history. */
export function historyEntry(
  { actor, requestId }: Cause,
  { id: assetId, workspaceId }: Pick<Asset, "id" | "workspaceId">,
  row: NewHistoryEntry,
): HistoryEntry {
  return { id: newId("his"), workspaceId, assetId, actor, requestId, ...row };
}
