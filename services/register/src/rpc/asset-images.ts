import { AssetImageService } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import { command, encodeInstants, type Implementation, implement, parse, upload } from "@asset-register/rpc";
import { inChunks } from "@asset-register/runtime";
import type { Context } from "../context.ts";
import { decodeAssetAtRev } from "../decode/asset.ts";
import { imageOfSize, someThumbnails } from "../decode/asset-image.ts";
import { encodeAsset } from "../encode/asset.ts";
import { openImage } from "../operations/images/open-image.ts";
import { openSmallImage } from "../operations/images/open-small-image.ts";
import { removeImage } from "../operations/images/remove-image.ts";
import { setImage } from "../operations/images/set-image.ts";

const CHUNK_BYTES = 64 * 1024;

export function assetImageService(context: Context): Implementation {
  return implement(AssetImageService, {
    setImage: upload(
      decodeAssetAtRev,
      (input, content, call) => setImage(context, input, content, call),
      ({ asset, checkout }) => ({ asset: encodeAsset(asset, checkout) }),
    ),

    async *getImage(request, call) {
      const { id, size } = parse(imageOfSize, request);
      const { image, content } = await (size === "small"
        ? openSmallImage(context, id, call)
        : openImage(context, call.workspaceId, id));
      yield { part: { case: "image" as const, value: encodeInstants(image) } };
      for await (const value of inChunks(content, CHUNK_BYTES)) {
        yield { part: { case: "chunk" as const, value } };
      }
    },

    async listThumbnails(request, { workspaceId }) {
      const { assetIds } = parse(someThumbnails, request);
      return { thumbnails: await context.stores.thumbnails.getMany(workspaceId, assetIds) };
    },

    removeImage: command(
      decodeAssetAtRev,
      (input, call) => removeImage(context, input, call),
      () => ({}),
    ),
  });
}
