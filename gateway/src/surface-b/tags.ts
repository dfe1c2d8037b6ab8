import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { id, idParams } from "../http/schemas.ts";
import { asset } from "../resources/asset.ts";
import {
  commissionSchema,
  decommissionSchema,
  tag,
  tagQuery,
  tagText,
  toCommission,
  toDecommission,
} from "../resources/tag.ts";
import type { Surface } from "../surface.ts";

const taggedAssetSchema = Type.Object(
  { ...asset.schema.properties, matched_tag_id: id("tag", "Id of the tag that the text names") },
  { title: "TaggedAsset" },
);

export const tags: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  list("/tags", {
    summary: "List tags",
    access: { capability: "view" },
    rpc: TagService.method.listTags,
    record: tag,
    query: tagQuery,
  });

  get("/tags/:id", {
    summary: "Retrieve one tag",
    access: { capability: "view" },
    rpc: TagService.method.getTag,
    record: tag,
  });

  app.post(
    "/tags/:id/decommission",
    {
      config: declared({ capability: "edit" }, TagService.method.decommissionTag),
      schema: {
        summary: "Free a tag from its asset",
        params: idParams,
        body: decommissionSchema,
        response: { 200: tag.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.tags.decommissionTag(
        { ...toDecommission(request.body), id: request.params.id },
        forward(request, reply),
      );
      return tag.present(required(answer.tag));
    },
  );

  app.get(
    "/assets/lookup",
    {
      config: declared({ capability: "view" }, TagService.method.lookupTag, AssetService.method.getAsset),
      schema: {
        summary: "Find the asset of a tag",
        querystring: Type.Object({ tag: tagText }),
        response: { 200: taggedAssetSchema },
      },
    },
    async (request, reply) => {
      const context = forward(request, reply);
      const { tagId, assetId } = await clients.tags.lookupTag({ text: request.query.tag }, context);
      const answer = await clients.assets.getAsset({ id: assetId }, context);
      const found = asset.present(required(answer.asset), callerOf(request).currencyDigits);
      return { ...found, matched_tag_id: tagId };
    },
  );

  app.post(
    "/tags/commission",
    {
      config: declared({ capability: "edit" }, TagService.method.commissionTag),
      schema: {
        summary: "Bind a tag to an asset",
        body: commissionSchema,
        response: { 200: tag.schema, 201: tag.schema },
      },
    },
    async (request, reply) => {
      const answer = await clients.tags.commissionTag(toCommission(request.body), forward(request, reply));
      const bound = tag.present(required(answer.tag));
      if (answer.created) created(reply, `/asset_manager_api/tags/${bound.id}`);
      return bound;
    },
  );
};
