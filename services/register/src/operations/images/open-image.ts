import type { Content } from "@asset-register/rpc";
import { requireFound, unavailable } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Image } from "../../domain/assets/asset.ts";

/** A description of the content, and the content. */
export type OpenImage = { image: Image; content: Content };

const ATTEMPTS = 3;

/** Opens the image of an asset. An image that is replaced at the same moment is read again. */
export async function openImage(
  { stores, blobs }: Context,
  workspaceId: string,
  id: string,
): Promise<OpenImage> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const asset = requireFound(await stores.assets.get(workspaceId, id), "asset");
    const image = requireFound(asset.image, "image");
    const blob = await blobs.open(workspaceId, image.blobId);
    if (blob !== undefined) return { image, content: blob.content };
  }
  throw unavailable();
}
