import type { Call } from "@asset-register/rpc";
import { requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Image } from "../../domain/assets/asset.ts";
import type { AssetAtRev } from "../assets/delete-asset.ts";
import { saveAssetChange } from "../assets/save-asset-change.ts";
import { removeSmallImage } from "./small-images.ts";

/** Removes the image of an asset. */
export async function removeImage(context: Context, { id, ifRevIn }: AssetAtRev, call: Call): Promise<void> {
  const { mongo, stores, now } = context;
  const { workspaceId } = call;
  const removed = await mongo.transaction(call, async (session) => {
    const before = requireFound(await stores.assets.get(workspaceId, id, session), "asset");
    const image = requireFound(before.image, "image");
    requireRev(before.rev, ifRevIn);
    const history = [{ action: "updated" as const, changes: [{ field: "image", before: image.sha256 }] }];
    const change = { before, at: now(), fields: { image: undefined }, history };
    await saveAssetChange(context, call, change, session);
    await removeSmallImage(context, before, session);
    return image;
  });
  await removeReplaced(context, call, removed);
}

/** Removes the content of an image that the asset no longer has. If that fails, the sweep removes it. */
export async function removeReplaced(
  { blobs }: Context,
  { workspaceId, logger }: Call,
  image: Image | undefined,
): Promise<void> {
  if (image === undefined) return;
  try {
    await blobs.remove(workspaceId, image.blobId);
  } catch (error) {
    logger.warn({ err: error, blob: image.blobId }, "replaced image not removed; the sweep removes it");
  }
}
