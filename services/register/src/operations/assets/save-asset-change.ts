import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type Asset, changeAsset, netBookValue } from "../../domain/assets/asset.ts";
import type { HistoryAction, HistoryEntry } from "../../domain/assets/history.ts";
import type { Status } from "../../domain/assets/status.ts";
import type { Checkout } from "../../domain/custody/checkout.ts";
import type { Move } from "../../domain/custody/movement.ts";
import {
  assetDeleted,
  assetDisposed,
  assetMoved,
  assetUpdated,
  checkoutChanged,
  type PublishedSchema,
} from "../../published.ts";
import { existing, getStatus } from "./statuses.ts";

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

/** The actor and the request of a change. */
export type Cause = Pick<Call, "actor" | "requestId">;

/** A change with the asset after it. */
type Saved = AssetChange & { asset: Asset };

/**
 * Saves a change in the caller's transaction: the asset with the next rev, the movement, the history and the events.
 * @returns the asset after the change
 * @throws AppError CONFLICT when another change of the asset came first
 */
export async function saveAssetChange(
  context: Context,
  call: Cause,
  change: AssetChange,
  session: ClientSession,
): Promise<Asset> {
  const saved = toSaved(change, call);
  await save(context, call, [saved], session);
  return saved.asset;
}

/** Saves changes of different assets of one workspace, each like a single one, with one write a collection. */
export const saveAssetChanges = (
  context: Context,
  call: Cause,
  changes: readonly AssetChange[],
  session: ClientSession,
): Promise<void> =>
  save(
    context,
    call,
    changes.map((change) => toSaved(change, call)),
    session,
  );

function toSaved(change: AssetChange, { actor }: Cause): Saved {
  const { before, at, fields, move, checkout } = change;
  const changed = changeAsset(before, { ...fields, ...move?.change, ...checkout?.change }, at, actor);
  return { ...change, asset: { ...changed, nbv: netBookValue(changed) } };
}

async function save(
  context: Context,
  call: Cause,
  changes: readonly Saved[],
  session: ClientSession,
): Promise<void> {
  const [first] = changes;
  if (!first) return;
  const { stores, outbox } = context;
  const { workspaceId } = first.before;
  const statuses = new Map<string, Status>();
  for (const id of new Set(changes.map(({ asset }) => asset.statusId))) {
    statuses.set(id, await getStatus(context, workspaceId, id, session));
  }
  await stores.assets.saveMany(
    workspaceId,
    changes.map(({ before, asset }) => ({ before, after: asset })),
    session,
  );
  const revalued = changes.filter(({ before, asset }) => asset.nbv !== before.nbv);
  await stores.assets.setBookValues(
    workspaceId,
    revalued.map(({ asset }) => asset),
    session,
  );
  const movements = changes.flatMap(({ move }) => move?.movement ?? []);
  await stores.movements.insertMany(workspaceId, movements, session);
  const entries = changes.flatMap((change) => historyOf(change, call));
  await stores.history.append(workspaceId, entries, session);
  const statusOf = ({ statusId }: Asset) => existing(statuses.get(statusId), workspaceId, statusId);
  const events = changes.flatMap((change) => eventsOf(change, statusOf(change.asset)));
  await outbox.add<PublishedSchema[]>(session, ...events);
}

function historyOf({ asset, at, history = [], move, checkout, causeId }: Saved, call: Cause): HistoryEntry[] {
  const rows: Omit<NewHistoryEntry, "at">[] = [...history];
  if (checkout) {
    rows.push({ action: checkout.action, changes: [{ field: "checkout_id", after: checkout.checkout.id }] });
  }
  if (move) rows.push({ action: "moved", changes: move.changes });
  return rows.map((row, index) => {
    const cause = index === 0 && causeId !== undefined ? { causeId, assetRev: asset.rev } : {};
    return historyEntry(call, asset, { ...row, at, ...cause });
  });
}

function eventsOf({ before, asset, at, history = [], move, checkout }: Saved, status: Status) {
  const changes = [...history.flatMap((row) => row.changes), ...(move?.changes ?? [])];
  const names = changes.map(({ field }) => field);
  if (checkout) names.push("current_checkout");
  return [
    assetChanged(before, asset, status, names),
    ...(move ? [assetMoved(move.movement)] : []),
    ...(checkout ? [checkoutChanged(checkout.checkout, asset.checkoutCount, at)] : []),
  ];
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
