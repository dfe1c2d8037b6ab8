import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { field, type Implementation, implement, parse } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import { z } from "zod";
import type { Context } from "../context.ts";
import { encodeAsset, statusClassNames } from "../encode/asset.ts";
import { openCheckout } from "../operations/open-checkout.ts";
import { getStatus } from "../operations/statuses.ts";

const oneAsset = z.object({ workspaceId: field.id(), assetId: field.id() });
const someLocations = z.object({ workspaceId: field.id(), locationIds: field.ids() });

/** Answers to other services, which name the workspace themselves. */
export function assetDirectoryService(context: Context): Implementation {
  const { stores } = context;
  return implement(AssetDirectoryService, {
    async resolveAsset(request) {
      const { workspaceId, assetId } = parse(oneAsset, request);
      const asset = requireFound(await stores.assets.get(workspaceId, assetId), "asset");
      const [status, checkout] = await Promise.all([
        getStatus(context, workspaceId, asset.statusId),
        openCheckout(context, asset),
      ]);
      return { asset: encodeAsset(asset, checkout), statusClass: statusClassNames.encode(status.class) };
    },

    async resolveLocations(request) {
      const { workspaceId, locationIds } = parse(someLocations, request);
      const records = await stores.organisation.getMany(workspaceId, locationIds);
      const locations = [...records.values()].filter(({ kind }) => kind === "location");
      return { existingIds: locations.map(({ id }) => id) };
    },
  });
}
