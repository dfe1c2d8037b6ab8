import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { assertCanDelete, assertNotCheckedOut } from "../../domain/assets/deletion.ts";
import { removeSmallImage } from "../images/small-images.ts";
import { saveAssetChange } from "./save-asset-change.ts";

export type AssetAtRev = { id: string; ifRevIn: readonly number[] };

/**
 * Deletes an asset. Its number, history, movements and checkouts stay. Its unique values and, by event, tags are free.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, ASSET_CHECKED_OUT, ASSET_HAS_DEPRECIATION; UNAVAILABLE if finance
 *   cannot be asked
 */
export async function deleteAsset(
  context: Context,
  { id, ifRevIn }: AssetAtRev,
  call: Call,
): Promise<undefined> {
  const { clients, mongo, stores, now } = context;
  const { workspaceId } = call;
  // Refuses the asset, if it can, before the call to finance.
  const known = requireFound(await stores.assets.get(workspaceId, id), "asset");
  requireRev(known.rev, ifRevIn);
  assertNotCheckedOut(known);
  const hasPosted = await clients.hasPostedDepreciation(id, call);
  await mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, id, session), "asset");
    requireRev(before.rev, ifRevIn);
    assertCanDelete(before, hasPosted);
    const at = now();
    const history = [{ action: "deleted" as const, changes: [] }];
    await saveAssetChange(context, call, { before, at, fields: { deletedAt: at }, history }, session);
    await stores.uniqueValues.freeAll(workspaceId, id, session);
    // Nobody can read the image of a deleted asset, so it can't be made again.
    if (before.image) await removeSmallImage(context, before, session);
  });
}
