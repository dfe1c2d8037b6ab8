import type { Call, Content } from "@asset-register/rpc";
import { AppError, requireFound, requireRev } from "@asset-register/runtime";
import type { Context } from "../../context.ts";
import type { Image } from "../../domain/assets/asset.ts";
import { type ImageType, imageTypeOf } from "../../domain/assets/image-type.ts";
import type { AssetAtRev } from "../assets/delete-asset.ts";
import { saveAssetChange } from "../assets/save-asset-change.ts";
import type { AssetView } from "../assets/update-asset.ts";
import { withVisibleFieldsOf } from "../assets/visible-fields.ts";
import { openCheckout } from "../custody/open-checkout.ts";
import { removeReplaced } from "./remove-image.ts";
import { removeSmallImage, saveSmallImage, scaleUpload } from "./small-images.ts";

/** Stores the content, makes its small image, then sets both on the asset. The image before is removed. */
export async function setImage(
  context: Context,
  { id, ifRevIn }: AssetAtRev,
  content: Content,
  call: Call,
): Promise<AssetView> {
  const { mongo, stores, blobs, now } = context;
  const { workspaceId } = call;
  // A refusal before the first byte is stored. The transaction checks again.
  const found = requireFound(await stores.assets.get(workspaceId, id), "asset");
  requireRev(found.rev, ifRevIn);
  const upload = typed(content);
  let replaced: Image | undefined;
  const saved = await blobs.putFor(workspaceId, upload.content, async (blob) => {
    const { id: blobId, bytes, sha256 } = blob;
    const made = await scaleUpload(context, call, blob);
    return mongo.transaction(call, async (session) => {
      const before = requireFound(await stores.assets.get(workspaceId, id, session), "asset");
      requireRev(before.rev, ifRevIn);
      replaced = before.image;
      const at = now();
      const image: Image = { blobId, contentType: upload.contentType(), bytes, sha256, updatedAt: at };
      const changes = [{ field: "image", before: replaced?.sha256, after: sha256 }];
      const history = [{ action: "updated" as const, changes }];
      const asset = await saveAssetChange(context, call, { before, at, fields: { image }, history }, session);
      const withImage = { id, workspaceId, image };
      if (made) await saveSmallImage(context, withImage, made, session);
      else await removeSmallImage(context, withImage, session);
      const visible = await withVisibleFieldsOf(context, asset, session);
      return { asset: visible, checkout: await openCheckout(context, asset, session) };
    });
  });
  await removeReplaced(context, call, replaced);
  return saved;
}

/** Refuses content whose first bytes are not those of an image. */
function typed(content: Content): { content: Content; contentType(): ImageType } {
  let type: ImageType | undefined;
  const required = (): ImageType => {
    if (type !== undefined) return type;
    throw new AppError({
      kind: "invalid",
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: "The file must be a PNG, JPEG or WebP image.",
      violations: [{ field: "file", message: "must be a PNG, JPEG or WebP image" }],
    });
  };
  async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      // Chunks are full, but for the last one: the first has all bytes that decide.
      type ??= imageTypeOf(chunk);
      required();
      yield chunk;
    }
    required();
  }
  return { content: checked(), contentType: required };
}
