import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, created, forward } from "../http/context.ts";
import { presentA } from "../http/present.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { envelope } from "../http/schemas.ts";
import { asset, newAssetSchema, toNewAsset, writeNotes, writeNotesSchema } from "../resources/asset.ts";
import { assetChanges, assetFilters, assetList } from "../resources/asset-list.ts";
import type { Surface } from "../surface.ts";

const createdSchema = Type.Object({
  ...envelope(asset.schema).properties,
  meta: Type.Optional(Type.Object(writeNotesSchema)),
});

export const assets: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "a");

  list("/assets", {
    summary: "List assets",
    access: { scope: "assets:read" },
    rpc: AssetService.method.listAssets,
    ...assetList,
    query: { ...assetFilters, ...assetChanges },
  });

  get("/assets/:id", {
    summary: "Retrieve one asset",
    access: { scope: "assets:read" },
    rpc: AssetService.method.getAsset,
    record: asset,
  });

  app.post(
    "/assets",
    {
      config: declared({ scope: "assets:write" }, AssetService.method.createAsset),
      schema: { summary: "Create an asset", body: newAssetSchema, response: { 201: createdSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const answer = await clients.assets.createAsset(
        toNewAsset(request.body, caller),
        forward(request, reply),
      );
      const record = asset.present(required(answer.asset), caller.currencyDigits);
      const meta = writeNotes(request.body, answer);
      created(reply, `/v1/assets/${record.id}`);
      return { ...presentA("Asset created", record), ...(Object.keys(meta).length > 0 && { meta }) };
    },
  );
};
