import type { ClientSession } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import type { Context } from "../../context.ts";
import type { Image } from "../../domain/assets/asset.ts";
import { MAX_DECODED_BYTES, type SmallImage } from "../../domain/assets/small-image.ts";

/** The small versions of an image. Without `small`, it cannot be decoded. */
export type Made = { small: SmallImage | undefined };

/** How long an upload waits for its turn. An image that gets none is scaled when it is read for the first time. */
const TURN_MS = 10_000;

/** Makes the small image of content that was just stored. Undefined if that would take too long. */
export async function scaleUpload(
  context: Context,
  { workspaceId, signal }: Call,
  blob: { id: string; bytes: number },
): Promise<Made | undefined> {
  const late = AbortSignal.timeout(TURN_MS);
  try {
    return await context.imageScaler.inTurn(AbortSignal.any([signal, late]), () =>
      scaleBlob(context, workspaceId, blob),
    );
  } catch (error) {
    if (error === late.reason) return undefined;
    throw error;
  }
}

/** Makes the small image of an image that has none. In its turn, another call may have made it. */
export async function scaleImage(context: Context, assetId: string, call: Call): Promise<void> {
  const { imageScaler, mongo, stores } = context;
  const { workspaceId, signal } = call;
  await imageScaler.inTurn(signal, async () => {
    const image = (await stores.assets.get(workspaceId, assetId))?.image;
    if (image === undefined) return;
    if ((await stores.smallImages.get(workspaceId, assetId))?.blobId === image.blobId) return;
    const made = await scaleBlob(context, workspaceId, { id: image.blobId, bytes: image.bytes });
    if (made === undefined) return;
    await mongo.transaction(call, async (session) => {
      // The image may be replaced or removed meanwhile, and nothing may stay of it.
      const isCurrent = await stores.assetImages.lock(workspaceId, assetId, image.blobId, session);
      if (isCurrent) await saveSmallImage(context, { workspaceId, id: assetId, image }, made, session);
    });
  });
}

/** Undefined if the blob was removed. In a turn, because the content and its pixels are in memory. */
async function scaleBlob(
  { blobs, imageScaler }: Context,
  workspaceId: string,
  { id, bytes }: { id: string; bytes: number },
): Promise<Made | undefined> {
  if (bytes > MAX_DECODED_BYTES) return { small: undefined };
  const blob = await blobs.open(workspaceId, id);
  if (blob === undefined) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.content) chunks.push(chunk);
  return { small: await imageScaler.scale(Buffer.concat(chunks)) };
}

type AssetWithImage = { id: string; workspaceId: string; image: Pick<Image, "blobId"> };

/** Stores what was made of the image of an asset, in the transaction that writes the asset. */
export async function saveSmallImage(
  { stores: { smallImages, thumbnails } }: Context,
  { id, workspaceId, image }: AssetWithImage,
  { small }: Made,
  session: ClientSession,
): Promise<void> {
  await smallImages.set(workspaceId, id, image.blobId, small, session);
  if (small?.thumbnail) await thumbnails.set(workspaceId, id, small.thumbnail, session);
  else await thumbnails.remove(workspaceId, id, session);
}

/** Removes what was made of the image of an asset, in the transaction that removes the image or the asset. */
export async function removeSmallImage(
  { stores: { smallImages, thumbnails } }: Context,
  { id, workspaceId }: Pick<AssetWithImage, "id" | "workspaceId">,
  session: ClientSession,
): Promise<void> {
  await smallImages.remove(workspaceId, id, session);
  await thumbnails.remove(workspaceId, id, session);
}
