import { AssetSchema } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { MessageShape } from "@bufbuild/protobuf";
import Type from "typebox";
import { resource } from "../http/resource.ts";
import { id, idFilter, instant } from "../http/schemas.ts";
import { asset } from "./asset.ts";

const deletedAsset = resource(AssetSchema, "DeletedAsset", { id: id("ast"), deleted_at: instant() });

/** A row of a list: an asset, or what is left of a deleted one. */
export const assetRow = {
  desc: AssetSchema,
  schema: Type.Union([asset.schema, deletedAsset.schema]),
  present: (message: MessageShape<typeof AssetSchema>, currencyDigits?: number) =>
    message.deletedAt === undefined ? asset.present(message, currencyDigits) : deletedAsset.present(message),
};

/** The filters of GET /assets that both surfaces have. */
export const assetFilters = {
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Beginnings of words in number, name, serial number, manufacturer and model",
    }),
  ),
  category_id: idFilter("cat"),
  location_id: idFilter("loc"),
  status_id: idFilter("sta"),
  custodian_id: idFilter("cus"),
};

/** What GET /assets has beside its filters. */
export const assetList = {
  record: assetRow,
  sorts: ["id", "-id", "updated_at", "-updated_at", "name", "number"],
  also: {
    next_updated_since: Type.Optional(
      instant(
        "With `updated_since`: pass it as `updated_since` of the next reading, after the last page of this one. It is 60 s before the first page was read, so some rows repeat and none is missed. Absent for a `page` after the first.",
      ),
    ),
  },
} as const;

/** The parameters of GET /assets that follow changes. */
export const assetChanges = {
  updated_since: Type.Optional(
    instant(
      "Only assets whose `updated_at` is not before, in the order of `updated_at`. Use `cursor` for more pages.",
    ),
  ),
  include_deleted: Type.Optional(
    Type.Boolean({ description: "Adds deleted assets, as `id` and `deleted_at`" }),
  ),
};
