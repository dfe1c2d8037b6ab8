import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, forward } from "../http/context.ts";
import { expansionOf } from "../http/expand/expansion.ts";
import { byId, readRoutes } from "../http/read-routes.ts";
import { toTimestamp } from "../http/request-message.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idFilter, idParams, instant } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import {
  asset,
  assetPosition,
  newAssetSchema,
  toNewAsset,
  writeNotes,
  writtenAssetSchema,
} from "../resources/asset.ts";
import { assetChanges, assetFilters, assetList } from "../resources/asset-list.ts";
import { historyEntry } from "../resources/history-entry.ts";
import { status } from "../resources/status.ts";
import type { Surface } from "../surface.ts";
import { thumbnailsOfAssets } from "./asset-thumbnails.ts";

export const assets: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");
  const { create } = writeRoutes(app, clients, "b");

  list("/assets", {
    summary: "List assets",
    access: { capability: "view" },
    rpc: AssetService.method.listAssets,
    ...assetList,
    query: { ...assetFilters, property_id: idFilter("prp"), ...assetChanges },
    expands: [thumbnailsOfAssets(clients)],
  });

  const assetOrPosition = Type.Union([asset.schema, assetPosition.schema]);
  const expansion = expansionOf(clients, assetOrPosition);
  app.get<{ Params: { id: string }; Querystring: { as_of?: string; expand?: string[] } }>(
    "/assets/:id",
    {
      config: declared(
        { capability: "view" },
        ...[AssetService.method.getAsset, AssetService.method.getAssetPosition, ...expansion.rpcs],
      ),
      schema: {
        summary: "Retrieve one asset, or where it was at an instant",
        params: idParams,
        querystring: Type.Object({
          as_of: Type.Optional(
            instant("Not before `created_at`, not in the future. The response is an AssetPosition."),
          ),
          ...expansion.query,
        }),
        response: { 200: assetOrPosition },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { as_of, expand } = request.query;
      const options = forward(request, reply);
      const read = async () => {
        if (as_of === undefined) {
          const answer = await clients.assets.getAsset({ id }, options);
          return asset.present(required(answer.asset), callerOf(request).currencyDigits);
        }
        const asOf = toTimestamp(as_of, "as_of");
        const answer = await clients.assets.getAssetPosition({ id, asOf }, options);
        return assetPosition.present(required(answer.position));
      };
      const shown = await read();
      if (expand !== undefined) await expansion.addNames(shown, expand, options);
      return shown;
    },
  );

  create("/assets", {
    summary: "Create an asset",
    access: { capability: "create" },
    rpc: AssetService.method.createAsset,
    record: asset,
    body: newAssetSchema,
    toRequest: toNewAsset,
    beside: { schema: writtenAssetSchema, present: (answer, given) => writeNotes(given, answer) },
  });

  list("/assets/:id/history", {
    summary: "List the history of an asset",
    access: { capability: "view" },
    rpc: AssetService.method.listHistory,
    record: historyEntry,
    sorts: byId,
    path: (assetId) => ({ assetId }),
  });

  list("/statuses", {
    summary: "List asset statuses",
    access: { capability: "view" },
    rpc: AssetService.method.listStatuses,
    record: status,
  });
};
