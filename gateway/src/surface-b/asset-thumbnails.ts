import { AssetImageService } from "@asset-register/proto/assetregister/register/v1/asset_image_pb";
import type { AssetSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { limits } from "@asset-register/proto/limits";
import { invalid } from "@asset-register/runtime";
import Type from "typebox";
import type { Clients } from "../clients.ts";
import { EXPAND_KEYWORD, type OwnProperties } from "../http/expand/expanded-schema.ts";
import type { OwnExpansion } from "../http/expand/own-expansion.ts";
import { nullable } from "../http/schemas.ts";

const VALUE = "thumbnail";

/** What `expand=thumbnail` adds to an asset. */
export const thumbnailProperty: OwnProperties = {
  Asset: {
    thumbnail: nullable(
      Type.String({
        description:
          "With `expand=thumbnail`: the image as a data URL, WebP of at most 64 pixels on each side and at most 4 KiB. " +
          "Null: the asset has no image, or its small image was not made yet",
        examples: ["data:image/webp;base64,UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA="],
        [EXPAND_KEYWORD]: [VALUE],
      }),
    ),
  },
};

/** The thumbnails of a page of assets, by one call. They are null if register does not answer in time. */
export const thumbnailsOfAssets = ({
  thumbnails,
}: Pick<Clients, "thumbnails">): OwnExpansion<typeof AssetSchema> => ({
  value: VALUE,
  rpcs: [AssetImageService.method.listThumbnails],
  check({ per_page }) {
    if (Number(per_page) <= limits.thumbnails) return;
    const message = `must be at most ${limits.thumbnails} with expand=${VALUE}`;
    throw invalid([{ field: "per_page", message }]);
  },
  async add(rows, options) {
    const shown = rows.filter(({ message }) => message.deletedAt === undefined);
    const assetIds = shown.flatMap(({ message: { id, image } }) => (image ? [id] : []));
    const found = new Map<string, Uint8Array>();
    if (assetIds.length > 0) {
      const answer = await thumbnails.listThumbnails({ assetIds }, options).catch(() => undefined);
      for (const { assetId, content } of answer?.thumbnails ?? []) found.set(assetId, content);
    }
    for (const { message, record } of shown) {
      const content = found.get(message.id);
      record.thumbnail = content === undefined ? null : dataUrl(content);
    }
  },
});

const dataUrl = (webp: Uint8Array): string =>
  `data:image/webp;base64,${Buffer.from(webp).toString("base64")}`;
