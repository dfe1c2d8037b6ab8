import {
  AssetDirectoryService,
  ResolveAssetResponseSchema,
  ResolveLocationsResponseSchema,
} from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { type Implementation, implement } from "@asset-register/rpc";
import { notFound } from "@asset-register/runtime";
import { create } from "@bufbuild/protobuf";
import { z } from "zod";
import { viewAt } from "../domain/checkout.ts";
import { encodeAsset, encodeStatusClass } from "../encode/asset.ts";
import { existing } from "../operations/know-statuses.ts";
import type { Register } from "../register.ts";
import { parse, requiredReference, someIds } from "./parse.ts";

const oneAsset = z.object({ workspaceId: requiredReference, assetId: requiredReference });
const someLocations = z.object({ workspaceId: requiredReference, locationIds: someIds });

/** Answers to other services, which name the workspace themselves. */
export function assetDirectoryService({ stores, now }: Register): Implementation {
  return implement(AssetDirectoryService, {
    async resolveAsset(request) {
      const { workspaceId, assetId } = parse(oneAsset, request);
      const asset = await stores.assets.get(workspaceId, assetId);
      if (!asset) throw notFound("There is no such asset.");
      const [status, checkout] = await Promise.all([
        stores.statuses.get(workspaceId, asset.statusId),
        asset.openCheckoutId ? stores.checkouts.get(workspaceId, asset.openCheckoutId) : undefined,
      ]);
      const current = checkout?.status === "open" ? viewAt(checkout, now()) : undefined;
      return create(ResolveAssetResponseSchema, {
        asset: encodeAsset(asset, current),
        statusClass: encodeStatusClass(existing(status, workspaceId, asset.statusId).class),
      });
    },

    async resolveLocations(request) {
      const { workspaceId, locationIds } = parse(someLocations, request);
      const records = await stores.organisation.getMany(workspaceId, locationIds);
      const locations = [...records.values()].filter(({ kind }) => kind === "location");
      return create(ResolveLocationsResponseSchema, { existingIds: locations.map(({ id }) => id) });
    },
  });
}
