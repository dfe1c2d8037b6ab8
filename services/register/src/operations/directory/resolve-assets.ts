import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import type { Checkout } from "../../domain/custody/checkout.ts";
import type { Movement } from "../../domain/custody/movement.ts";
import { type StatusesById, statusesById } from "../assets/statuses.ts";

export type ResolvedAssets = {
  assets: Asset[];
  statuses: StatusesById;
  checkouts: Map<string, Checkout>;
  lastMovements: Map<string, Movement>;
};

/** Any time is before it. */
const END = new Date(8.64e15);

/** Assets with their open checkouts and last movements, by asset id. Deleted and disposed assets too. */
export async function resolveAssets(
  context: Context,
  workspaceId: string,
  assetIds: string[],
): Promise<ResolvedAssets> {
  const { stores } = context;
  const ids = [...new Set(assetIds)];
  const [assets, statuses, checkouts, movements] = await Promise.all([
    stores.assetDirectory.getAll(workspaceId, ids),
    statusesById(context, workspaceId),
    stores.checkouts.openOf(workspaceId, ids),
    stores.movements.lastAt(workspaceId, ids, END),
  ]);
  return { assets, statuses, checkouts: byAsset(checkouts), lastMovements: byAsset(movements) };
}

function byAsset<T extends { assetId: string }>(rows: T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.assetId, row]));
}
