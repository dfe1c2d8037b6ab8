import { AssetDepreciationService } from "@asset-register/proto/assetregister/finance/v1/asset_depreciation_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import type { Context } from "../context.ts";
import { encodeAssetDepreciation } from "../encode/asset-depreciation.ts";
import { bookNames } from "../encode/names.ts";
import { getAssetDepreciation } from "../operations/reports/get-asset-depreciation.ts";

export function assetDepreciationService(context: Context): Implementation {
  return implement(AssetDepreciationService, {
    async getAssetDepreciation({ assetId, book }, call) {
      const found = await getAssetDepreciation(context, { assetId, book: bookNames.decode(book) }, call);
      return { depreciation: encodeAssetDepreciation(found) };
    },
  });
}
