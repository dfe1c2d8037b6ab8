import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idFilter, idParams, like, pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import { assetSchema, presentAsset } from "../resources/asset.ts";
import { ignoredFields, newAssetSchema, toNewAsset } from "../resources/new-asset.ts";
import { presentStatus, statusSchema } from "../resources/status.ts";
import type { Surface } from "../surface.ts";

const createdSchema = Type.Object(
  {
    ...assetSchema.properties,
    stripped_fields: Type.Optional(Type.Array(like("cost"))),
    ignored_fields: Type.Optional(Type.Array(like("status_id"))),
  },
  { title: "CreatedAsset" },
);

export const assets: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/assets",
    {
      config: declared({ capability: "view" }, AssetService.method.listAssets),
      schema: {
        summary: "List assets",
        querystring: Type.Object({
          ...pageQueryB,
          q: Type.Optional(Type.String({ maxLength: 200 })),
          category_id: idFilter("cat"),
          property_id: idFilter("prp"),
          location_id: idFilter("loc"),
          status_id: idFilter("sta"),
          custodian_id: idFilter("cus"),
        }),
        response: { 200: pageOf(assetSchema) },
      },
    },
    async (request, reply) => {
      const { q, category_id, property_id, location_id, status_id, custodian_id } = request.query;
      const { currencyDigits } = callerOf(request);
      const list = await clients.assets.listAssets(
        {
          page: toPageB(request.query),
          q,
          categoryId: category_id,
          propertyId: property_id,
          locationId: location_id,
          statusId: status_id,
          custodianId: custodian_id,
        },
        forward(request, reply),
      );
      return presentListB(
        list.assets.map((asset) => presentAsset(asset, currencyDigits)),
        list.page,
      );
    },
  );

  app.post(
    "/assets",
    {
      config: declared({ capability: "create" }, AssetService.method.createAsset),
      schema: { summary: "Create an asset", body: newAssetSchema, response: { 201: createdSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { asset, strippedFields } = await clients.assets.createAsset(
        toNewAsset(request.body, caller),
        forward(request, reply),
      );
      const made = presentAsset(required(asset), caller.currencyDigits);
      const ignored = ignoredFields(request.body);
      created(reply, `/asset_manager_api/assets/${made.id}`);
      return {
        ...made,
        ...(strippedFields.length > 0 && { stripped_fields: strippedFields }),
        ...(ignored.length > 0 && { ignored_fields: ignored }),
      };
    },
  );

  app.get(
    "/assets/:id",
    {
      config: declared({ capability: "view" }, AssetService.method.getAsset),
      schema: { summary: "Retrieve one asset", params: idParams, response: { 200: assetSchema } },
    },
    async (request, reply) => {
      const { asset } = await clients.assets.getAsset({ id: request.params.id }, forward(request, reply));
      return presentAsset(required(asset), callerOf(request).currencyDigits);
    },
  );

  app.get(
    "/statuses",
    {
      config: declared({ capability: "view" }, AssetService.method.listStatuses),
      schema: {
        summary: "List asset statuses",
        response: { 200: Type.Object({ data: Type.Array(statusSchema) }) },
      },
    },
    async (request, reply) => {
      const { statuses } = await clients.assets.listStatuses({}, forward(request, reply));
      return {
        data: statuses.map(presentStatus),
      };
    },
  );
};
