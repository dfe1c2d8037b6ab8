import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { command, type Implementation, implement, pageInfo } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { decodeCreateAsset, decodeListAssets } from "../decode/asset.ts";
import { nextUpdatedSince } from "../domain/asset-list.ts";
import { encodeAsset, encodeStatus } from "../encode/asset.ts";
import { createAsset } from "../operations/create-asset.ts";
import { openCheckout } from "../operations/open-checkout.ts";
import { listStatuses } from "../operations/statuses.ts";

export function assetService(context: Context): Implementation {
  const { stores } = context;
  return implement(AssetService, {
    createAsset: command(
      decodeCreateAsset,
      (input, call) => createAsset(context, input, call),
      ({ asset, strippedFields }) => ({ asset: encodeAsset(asset), strippedFields }),
    ),

    // The hot path: one read, and a second one only for an asset that is checked out.
    async getAsset({ id }, { workspaceId }) {
      const asset = requireFound(await stores.assets.get(workspaceId, id), "asset");
      return { asset: encodeAsset(asset, await openCheckout(context, asset)) };
    },

    async listAssets(request, { workspaceId }) {
      const { filter, page } = decodeListAssets(request);
      const found = await stores.assets.list(workspaceId, filter, page, context.now());
      const since = filter.updatedSince && found.readAt && nextUpdatedSince(found.readAt);
      return {
        assets: found.items.map((asset) => encodeAsset(asset)),
        page: pageInfo(found),
        nextUpdatedSince: since && timestampFromDate(since),
      };
    },

    async listStatuses(_request, { workspaceId }) {
      return { statuses: (await listStatuses(context, workspaceId)).map(encodeStatus) };
    },
  });
}
