import type { Context } from "../../context.ts";
import type { Asset } from "../../domain/assets/asset.ts";
import type { ChangePosition } from "../../store/assets/asset-directory.ts";
import { type StatusesById, statusesById } from "../assets/statuses.ts";

/** A position in a reading, and when the reading began. */
export type ChangeCursor = ChangePosition & { startedAt: Date };

export type ListChangedAssets = {
  workspaceId: string;
  since?: Date | undefined;
  cursor?: ChangeCursor | undefined;
  limit: number;
};

export type ChangedAssets = {
  assets: Asset[];
  statuses: StatusesById;
  /** Absent on the last page. */
  cursor?: ChangeCursor | undefined;
  /** On the last page. */
  nextSince?: Date | undefined;
};

/** No transaction lasts longer than 30 s, and clocks differ by less than 30 s. */
const OVERLAP_MS = 60_000;

/**
 * One page of the assets that changed. `nextSince` counts from the beginning of the reading, not from its last page:
 * a change that was stored behind the cursor between two pages is in the next reading.
 */
export async function listChangedAssets(context: Context, input: ListChangedAssets): Promise<ChangedAssets> {
  const { workspaceId, since, cursor, limit } = input;
  const startedAt = cursor?.startedAt ?? context.now();
  const [found, statuses] = await Promise.all([
    context.stores.assetDirectory.listChanged(workspaceId, { since, after: cursor, limit: limit + 1 }),
    statusesById(context, workspaceId),
  ]);
  const assets = found.slice(0, limit);
  const last = found.length > limit ? assets.at(-1) : undefined;
  if (!last) return { assets, statuses, nextSince: new Date(startedAt.getTime() - OVERLAP_MS) };
  return { assets, statuses, cursor: { at: last.updatedAt, id: last.id, startedAt } };
}
