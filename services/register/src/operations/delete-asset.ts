import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { assertCanDelete } from "../domain/deletion.ts";
import { saveAssetChange } from "./save-asset-change.ts";

export type AssetAtRev = { id: string; ifRevIn: readonly number[] };

/** Deletes an asset. Its number, history, movements and checkouts stay. Its unique values and, by event, tags are free. */
export async function deleteAsset(
  context: Context,
  { id, ifRevIn }: AssetAtRev,
  call: Call,
): Promise<undefined> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  await mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, id, session), "asset");
    requireRev(before.rev, ifRevIn);
    assertCanDelete(before);
    const at = now();
    const history = [{ action: "deleted" as const, changes: [] }];
    await saveAssetChange(context, call, { before, at, fields: { deletedAt: at }, history }, session);
    await stores.uniqueValues.freeAll(workspaceId, id, session);
  });
}
