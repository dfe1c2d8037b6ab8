import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import {
  command,
  encodeInstants,
  type Implementation,
  implement,
  pageInfo,
  pageRequest,
} from "@asset-register/rpc";
import { notFound, requireFound } from "@asset-register/runtime";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import {
  decodeChangeStatus,
  decodeCreateAsset,
  decodeCreateAssets,
  decodeDeleteAsset,
  decodeDisposeAsset,
  decodeGetAssetPosition,
  decodeListAssets,
  decodeUpdateAsset,
  decodeUpdateAssets,
} from "../decode/asset.ts";
import { nextUpdatedSince } from "../domain/assets/asset-list.ts";
import {
  encodeAsset,
  encodeCreateResult,
  encodeHistoryEntry,
  encodeStatus,
  encodeUpdateResult,
} from "../encode/asset.ts";
import { changeStatus } from "../operations/assets/change-status.ts";
import { createAssetCreation } from "../operations/assets/create-asset.ts";
import { createAssets } from "../operations/assets/create-assets.ts";
import { deleteAsset } from "../operations/assets/delete-asset.ts";
import { disposeAsset } from "../operations/assets/dispose-asset.ts";
import { listStatusPage } from "../operations/assets/statuses.ts";
import { updateAsset } from "../operations/assets/update-asset.ts";
import { updateAssets } from "../operations/assets/update-assets.ts";
import { withVisibleFields, withVisibleFieldsOf } from "../operations/assets/visible-fields.ts";
import { getAssetPosition } from "../operations/custody/get-asset-position.ts";
import { openCheckout } from "../operations/custody/open-checkout.ts";

export function assetService(context: Context): Implementation {
  const { stores } = context;
  return implement(AssetService, {
    createAsset: command(decodeCreateAsset, createAssetCreation(context), ({ asset, strippedFields }) => ({
      asset: encodeAsset(asset),
      strippedFields,
    })),

    createAssets: command(
      decodeCreateAssets,
      (inputs, call) => createAssets(context, inputs, call),
      (results) => ({ results: results.map(encodeCreateResult) }),
    ),

    // The hot path: one read, and others only for an asset that is checked out or has custom fields.
    async getAsset({ id }, { workspaceId }) {
      const found = requireFound(await stores.assets.get(workspaceId, id), "asset");
      const asset = await withVisibleFieldsOf(context, found);
      return { asset: encodeAsset(asset, await openCheckout(context, asset)) };
    },

    async getAssetPosition(request, { workspaceId }) {
      const position = await getAssetPosition(context, decodeGetAssetPosition(request), workspaceId);
      return { position: encodeInstants(position) };
    },

    async listAssets(request, { workspaceId }) {
      const { filter, page } = decodeListAssets(request);
      const found = await stores.assets.list(workspaceId, filter, page, context.now());
      const since = filter.updatedSince && found.readAt && nextUpdatedSince(found.readAt);
      const assets = await withVisibleFields(context, found.items);
      return {
        assets: assets.map((asset) => encodeAsset(asset)),
        page: pageInfo(found),
        nextUpdatedSince: since && timestampFromDate(since),
      };
    },

    updateAsset: command(
      decodeUpdateAsset,
      (input, call) => updateAsset(context, input, call),
      ({ asset, checkout, strippedFields }) => ({ asset: encodeAsset(asset, checkout), strippedFields }),
    ),

    updateAssets: command(
      decodeUpdateAssets,
      (input, call) => updateAssets(context, input, call),
      (results) => ({ results: results.map(encodeUpdateResult) }),
    ),

    deleteAsset: command(
      decodeDeleteAsset,
      (input, call) => deleteAsset(context, input, call),
      () => ({}),
    ),

    changeStatus: command(
      decodeChangeStatus,
      (input, call) => changeStatus(context, input, call),
      ({ asset, checkout }) => ({ asset: encodeAsset(asset, checkout) }),
    ),

    disposeAsset: command(
      decodeDisposeAsset,
      (input, call) => disposeAsset(context, input, call),
      ({ asset, checkout }) => ({ asset: encodeAsset(asset, checkout) }),
    ),

    async listHistory({ assetId, page }, { workspaceId }) {
      // A deleted asset keeps its history.
      if (!(await stores.assets.everExisted(workspaceId, assetId))) throw notFound("asset");
      const found = await stores.history.list(workspaceId, assetId, pageRequest(page));
      return { entries: found.items.map(encodeHistoryEntry), page: pageInfo(found) };
    },

    async listStatuses({ page }, { workspaceId }) {
      const found = await listStatusPage(context, workspaceId, pageRequest(page));
      return { statuses: found.items.map(encodeStatus), page: pageInfo(found) };
    },
  });
}
