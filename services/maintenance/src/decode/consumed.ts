import type { Asset } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { KnownAsset } from "../domain/assets/asset.ts";

export const decodeAsset = ({ id, name, categoryId, disposed, deletedAt }: Asset): KnownAsset => ({
  id,
  name,
  categoryId,
  disposed: disposed !== undefined,
  deleted: deletedAt !== undefined,
});
