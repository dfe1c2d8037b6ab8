import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idFilter, like } from "../http/schemas.ts";
import {
  asset,
  assetChanges,
  assetFilters,
  assetList,
  ignoredFields,
  newAssetSchema,
  toNewAsset,
} from "../resources/asset.ts";
import { status } from "../resources/status.ts";
import type { Surface } from "../surface.ts";

const createdSchema = Type.Object(
  {
    ...asset.schema.properties,
    stripped_fields: Type.Optional(Type.Array(like("cost"))),
    ignored_fields: Type.Optional(Type.Array(like("status_id"))),
  },
  { title: "CreatedAsset" },
);

export const assets: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  list("/assets", {
    summary: "List assets",
    access: { capability: "view" },
    rpc: AssetService.method.listAssets,
    ...assetList,
    query: { ...assetFilters, property_id: idFilter("prp"), ...assetChanges },
  });

  get("/assets/:id", {
    summary: "Retrieve one asset",
    access: { capability: "view" },
    rpc: AssetService.method.getAsset,
    record: asset,
  });

  app.post(
    "/assets",
    {
      config: declared({ capability: "create" }, AssetService.method.createAsset),
      schema: { summary: "Create an asset", body: newAssetSchema, response: { 201: createdSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const answer = await clients.assets.createAsset(
        toNewAsset(request.body, caller),
        forward(request, reply),
      );
      const record = asset.present(required(answer.asset), caller.currencyDigits);
      const { strippedFields } = answer;
      const ignored = ignoredFields(request.body);
      created(reply, `/asset_manager_api/assets/${record.id}`);
      return {
        ...record,
        ...(strippedFields.length > 0 && { stripped_fields: strippedFields }),
        ...(ignored.length > 0 && { ignored_fields: ignored }),
      };
    },
  );

  app.get(
    "/statuses",
    {
      config: declared({ capability: "view" }, AssetService.method.listStatuses),
      schema: {
        summary: "List asset statuses",
        response: { 200: Type.Object({ data: Type.Array(status.schema) }) },
      },
    },
    async (request, reply) => {
      const { statuses } = await clients.assets.listStatuses({}, forward(request, reply));
      return { data: statuses.map((one) => status.present(one)) };
    },
  );
};
