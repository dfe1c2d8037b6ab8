import {
  AssetService,
  CreateAssetResponseSchema,
  GetAssetResponseSchema,
  ListAssetsResponseSchema,
  ListStatusesResponseSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { command, type Implementation, implement } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import { create } from "@bufbuild/protobuf";
import { viewAt } from "../domain/checkout.ts";
import { encodeAsset, encodeStatus } from "../encode/asset.ts";
import { encodePage } from "../encode/common.ts";
import { createAsset } from "../operations/create-asset.ts";
import { knowStatuses } from "../operations/know-statuses.ts";
import type { Register } from "../register.ts";
import { decodeAssetFilter, decodeCreateAsset } from "./decode-asset.ts";
import { parsePage } from "./parse.ts";

export function assetService(register: Register): Implementation {
  const { stores, now } = register;
  return implement(AssetService, {
    createAsset: command(
      decodeCreateAsset,
      (input, call) => createAsset(register, input, call),
      ({ asset, strippedFields }) =>
        create(CreateAssetResponseSchema, { asset: encodeAsset(asset), strippedFields }),
    ),

    // The hot path: one read, and a second one only for an asset that is out.
    async getAsset({ id }, { workspaceId }) {
      const asset = await stores.assets.get(workspaceId, id);
      if (!asset) throw notFound("There is no such asset.");
      const checkout = asset.openCheckoutId
        ? await stores.checkouts.get(workspaceId, asset.openCheckoutId)
        : undefined;
      const current = checkout?.status === "open" ? viewAt(checkout, now()) : undefined;
      return create(GetAssetResponseSchema, { asset: encodeAsset(asset, current) });
    },

    async listAssets(request, { workspaceId }) {
      const filter = decodeAssetFilter(request);
      const found = await stores.assets.list(workspaceId, filter, parsePage(request.page));
      return create(ListAssetsResponseSchema, {
        assets: found.items.map((asset) => encodeAsset(asset)),
        page: encodePage(found),
      });
    },

    async listStatuses(_request, { workspaceId }) {
      const statuses = await knowStatuses(stores.statuses, workspaceId);
      return create(ListStatusesResponseSchema, { statuses: statuses.map(encodeStatus) });
    },
  });
}
