import type { Call } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { ListInTime } from "../../decode/sighting.ts";
import type { AssetSighting } from "../../store/presence/sightings.ts";

/** A part of the sightings of an asset. Those of a deleted one can still be read. */
export async function listAssetSightings(
  { stores, clients }: Context,
  { id, span, page }: ListInTime,
  call: Call,
): Promise<{ items: AssetSighting[]; nextCursor?: string | undefined }> {
  // The first event of a new asset may not have arrived.
  const isKnown = await stores.assets.isKnown(call.workspaceId, id);
  if (!isKnown) requireFound(await clients.getAsset(id, call), "asset");
  return stores.sightings.list(call.workspaceId, id, span, page);
}
