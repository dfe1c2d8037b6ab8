import type { Call } from "@asset-register/rpc";
import { requireFound, unavailable } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import { type OpenImage, openImage } from "./open-image.ts";
import { scaleImage } from "./small-images.ts";

const ATTEMPTS = 3;

/**
 * Opens the small image of an asset, and makes it if the image is older than small images. An image that cannot be
 * decoded is opened itself.
 */
export async function openSmallImage(context: Context, id: string, call: Call): Promise<OpenImage> {
  const { stores } = context;
  const { workspaceId } = call;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const asset = requireFound(await stores.assets.get(workspaceId, id), "asset");
    const image = requireFound(asset.image, "image");
    const made = await stores.smallImages.get(workspaceId, id);
    if (made?.blobId === image.blobId) {
      const { content, sha256 } = made;
      if (content === undefined || sha256 === undefined) return openImage(context, workspaceId, id);
      const small = { contentType: "image/webp" as const, bytes: content.length, sha256 };
      return { image: { ...image, ...small }, content: whole(content) };
    }
    await scaleImage(context, id, call);
  }
  throw unavailable();
}

async function* whole(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
