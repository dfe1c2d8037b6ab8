import { AssetService, IssuedToType } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustodyService } from "@asset-register/proto/assetregister/register/v1/custody_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, forward } from "../http/context.ts";
import { presentA, presentListA } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import {
  body,
  dateOrInstant,
  envelope,
  envelopeList,
  id,
  idParams,
  pageQueryA,
  text,
  toPageA,
} from "../http/schemas.ts";
import { assetSchema, ignoredFields, newAssetSchema, presentAsset, toNewAsset } from "../resources/asset.ts";
import { checkoutSchema, condition, parseDue, presentCheckout } from "../resources/checkout.ts";
import type { Surface } from "../surface.ts";

const createdSchema = Type.Object({
  ...envelope(assetSchema).properties,
  meta: Type.Optional(
    Type.Object({
      stripped_fields: Type.Optional(Type.Array(Type.String())),
      ignored_fields: Type.Optional(Type.Array(Type.String())),
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
          category_id: Type.Optional(Type.String()),
          q: Type.Optional(Type.String({ maxLength: 200 })),
          status_id: Type.Optional(Type.String()),
          location_id: Type.Optional(Type.String()),
          custodian_id: Type.Optional(Type.String()),
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
      const created = required(asset);
      const ignored = ignoredFields(request.body);
      const meta = {
        ...(strippedFields.length > 0 && { stripped_fields: strippedFields }),
        ...(ignored.length > 0 && { ignored_fields: ignored }),
      };
      reply.code(201).header("location", `/v1/assets/${created.id}`);
      return {
        ...presentA("Asset created", presentAsset(created, caller.currencyDigits)),
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
      reply.rev(required(asset).rev);
      return presentA("Asset", presentAsset(required(asset), callerOf(request).currencyDigits));
    },
  );

  app.post(
    "/assets/:id/checkout",
    {
      config: declared({ scope: "checkouts:write" }, CustodyService.method.createCheckout),
      schema: {
        summary: "Check the asset out to an assignee",
        params: idParams,
        body: body({ assignee_id: id("cus", "A custodian"), due_date: Type.Optional(dateOrInstant) }),
        response: { 201: envelope(checkoutSchema) },
      },
    },
    async (request, reply) => {
      const { checkout } = await clients.custody.createCheckout(
        {
          assetId: request.params.id,
          issuedToType: IssuedToType.CUSTODIAN,
          issuedToId: request.body.assignee_id,
          due: parseDue(request.body.due_date),
        },
        forward(request, reply),
      );
      reply.code(201);
      return presentA("Asset checked out", presentCheckout(required(checkout)));
    },
  );

  app.post(
    "/assets/:id/checkin",
    {
      config: declared({ scope: "checkouts:write" }, CustodyService.method.returnCheckout),
      schema: {
        summary: "Take the asset back",
        params: idParams,
        body: body({ condition_in: Type.Optional(condition), note: Type.Optional(text) }),
        response: { 200: envelope(checkoutSchema) },
      },
    },
    async (request, reply) => {
      const { checkout } = await clients.custody.returnCheckout(
        {
          target: { case: "assetId", value: request.params.id },
          conditionIn: request.body.condition_in,
          note: request.body.note,
        },
        forward(request, reply),
      );
      return presentA("Asset checked in", presentCheckout(required(checkout)));
    },
  );
};
