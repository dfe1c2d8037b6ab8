import { AssetDirectoryService } from "@asset-register/proto/assetregister/register/v1/asset_directory_pb";
import { command, field, type Implementation, implement, parse } from "@asset-register/rpc";
import { requireFound } from "@asset-register/runtime";
import { z } from "zod";
import type { Context } from "../context.ts";
import {
  decodeListChangedAssets,
  decodeListPositions,
  decodeListScope,
  oneAsset,
  pageOfSeen,
  someAssets,
} from "../decode/asset-directory.ts";
import { decodeChangeFinanceFields } from "../decode/finance-fields.ts";
import { encodeAssetForServices, statusClassNames } from "../encode/asset.ts";
import {
  encodeChangedAssets,
  encodeLastSeen,
  encodePositions,
  encodeResolvedAssets,
  encodeScope,
} from "../encode/asset-directory.ts";
import { encodeNames, encodePropertyIds } from "../encode/organisation.ts";
import { changeFinanceFields } from "../operations/assets/change-finance-fields.ts";
import { getStatus, statusesById } from "../operations/assets/statuses.ts";
import { openCheckout } from "../operations/custody/open-checkout.ts";
import { listChangedAssets } from "../operations/directory/list-changed-assets.ts";
import { listPositions } from "../operations/directory/list-positions.ts";
import { listScope } from "../operations/directory/list-scope.ts";
import { resolveAssets } from "../operations/directory/resolve-assets.ts";

const someLocations = z.object({ workspaceId: field.id(), locationIds: field.ids() });
const someStatuses = z.object({ workspaceId: field.id(), statusIds: field.ids() });

/** Answers to other services, which name the workspace themselves. */
export function assetDirectoryService(context: Context): Implementation {
  const { stores, now } = context;
  return implement(AssetDirectoryService, {
    async resolveAsset(request) {
      const { workspaceId, assetId } = parse(oneAsset, request);
      const asset = requireFound(await stores.assets.get(workspaceId, assetId), "asset");
      const [status, checkout] = await Promise.all([
        getStatus(context, workspaceId, asset.statusId),
        openCheckout(context, asset),
      ]);
      return {
        asset: encodeAssetForServices(asset, checkout),
        statusClass: statusClassNames.encode(status.class),
        statusKey: status.key,
      };
    },

    async resolveAssets(request) {
      const { workspaceId, assetIds } = parse(someAssets, request);
      return encodeResolvedAssets(await resolveAssets(context, workspaceId, assetIds), now());
    },

    async listScope(request, call) {
      return encodeScope(await listScope(context, decodeListScope(request), call));
    },

    async listPositions(request, call) {
      return encodePositions(await listPositions(context, decodeListPositions(request), call), now());
    },

    async listChangedAssets(request) {
      return encodeChangedAssets(await listChangedAssets(context, decodeListChangedAssets(request)));
    },

    async listLastSeen(request) {
      const { workspaceId, afterId, limit } = parse(pageOfSeen, request);
      const found = await stores.assetDirectory.listSeen(workspaceId, afterId, limit + 1);
      return encodeLastSeen(found, limit);
    },

    changeFinanceFields: command(
      decodeChangeFinanceFields,
      (input, call) => changeFinanceFields(context, input, call),
      ({ assetRev, changed }) => ({ assetRev, changed }),
    ),

    async resolveLocations(request) {
      const { workspaceId, locationIds } = parse(someLocations, request);
      const records = await stores.organisation.getMany(workspaceId, locationIds);
      const locations = [...records.values()].filter(({ kind }) => kind === "location");
      return { ...encodeNames(locations), propertyIds: encodePropertyIds(locations) };
    },

    async resolveStatuses(request) {
      const { workspaceId, statusIds } = parse(someStatuses, request);
      const statuses = await statusesById(context, workspaceId);
      return encodeNames(statusIds.flatMap((id) => statuses.get(id) ?? []));
    },
  });
}
