import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, created, forward } from "../http/context.ts";
import { presentA, presentListA } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { envelope, envelopeList, idFilter, idParams, like, pageQueryA, toPageA } from "../http/schemas.ts";
import { assetSchema, presentAsset } from "../resources/asset.ts";
import { ignoredFields, newAssetSchema, toNewAsset } from "../resources/new-asset.ts";
import type { Surface } from "../surface.ts";

const createdSchema = Type.Object({
  ...envelope(assetSchema).properties,
  meta: Type.Optional(
    Type.Object({
      stripped_fields: Type.Optional(Type.Array(like("cost"))),
      ignored_fields: Type.Optional(Type.Array(like("status_id"))),
    }),
  ),
});

export const assets: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/assets",
    {
      config: declared({ scope: "assets:read" }, AssetService.method.listAssets),
      schema: {
        summary: "List assets",
        querystring: Type.Object({
          ...pageQueryA,
          category_id: idFilter("cat"),
          q: Type.Optional(Type.String({ maxLength: 200 })),
          status_id: idFilter("sta"),
          location_id: idFilter("loc"),
          custodian_id: idFilter("cus"),
        }),
        response: { 200: envelopeList(assetSchema) },
      },
    },
    async (request, reply) => {
      const { category_id, status_id, location_id, custodian_id, q } = request.query;
      const { currencyDigits } = callerOf(request);
      const list = await clients.assets.listAssets(
        {
          page: toPageA(request.query),
          categoryId: category_id,
          statusId: status_id,
          locationId: location_id,
          custodianId: custodian_id,
          q,
        },
        forward(request, reply),
      );
      return presentListA(
        "Assets",
        list.assets.map((asset) => presentAsset(asset, currencyDigits)),
        list.page,
      );
    },
  );

  app.post(
    "/assets",
    {
      config: declared({ scope: "assets:write" }, AssetService.method.createAsset),
      schema: { summary: "Create an asset", body: newAssetSchema, response: { 201: createdSchema } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { asset, strippedFields } = await clients.assets.createAsset(
        toNewAsset(request.body, caller),
        forward(request, reply),
      );
      const made = required(asset);
      const ignored = ignoredFields(request.body);
      const meta = {
        ...(strippedFields.length > 0 && { stripped_fields: strippedFields }),
        ...(ignored.length > 0 && { ignored_fields: ignored }),
      };
      created(reply, `/v1/assets/${made.id}`);
      return {
        ...presentA("Asset created", presentAsset(made, caller.currencyDigits)),
        ...(Object.keys(meta).length > 0 && { meta }),
      };
    },
  );

  app.get(
    "/assets/:id",
    {
      config: declared({ scope: "assets:read" }, AssetService.method.getAsset),
      schema: { summary: "Retrieve one asset", params: idParams, response: { 200: envelope(assetSchema) } },
    },
    async (request, reply) => {
      const { asset } = await clients.assets.getAsset({ id: request.params.id }, forward(request, reply));
      return presentA("Asset", presentAsset(required(asset), callerOf(request).currencyDigits));
    },
  );
};
