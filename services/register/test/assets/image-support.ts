import type {
  AssetImageService,
  ImageSize,
} from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import type { Client } from "@asset-register/rpc";
import type { Workspace } from "../support.ts";

/** Reads an image: the type and hash that its first message names, and the content. */
export async function download(
  images: Pick<Client<typeof AssetImageService>, "getImage">,
  { admin }: Pick<Workspace, "admin">,
  id: string,
  size?: ImageSize,
) {
  const chunks: Uint8Array[] = [];
  let described: { type: string; sha256: string; bytes: number } | undefined;
  for await (const { part } of images.getImage({ id, size }, admin)) {
    if (part.case === "image") {
      const { contentType: type, sha256, bytes } = part.value;
      described = { type, sha256, bytes };
    } else if (part.case === "chunk") chunks.push(part.value);
  }
  return { ...described, content: Buffer.concat(chunks) };
}
