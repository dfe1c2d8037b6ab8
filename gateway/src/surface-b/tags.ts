import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, forward } from "../http/context.ts";
import { expansionOf } from "../http/expand/expansion.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { id } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
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

export const tags: FastifyPluginAsyncTypebox<Surface> = async (app, { clients, codeOf }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { create, act } = writeRoutes(app, clients, "b");

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

  act("/tags/:id/decommission", {
    summary: "Free a tag from its asset",
    access: { capability: "edit" },
    rpc: TagService.method.decommissionTag,
    record: tag,
    body: decommissionSchema,
    toRequest: toDecommission,
  });

  const expansion = expansionOf(clients, taggedAssetSchema);
  app.get<{ Querystring: { tag: string; expand?: string[] } }>(
    "/assets/lookup",
    {
      config: declared(
        { capability: "view" },
        ...[TagService.method.lookupTag, AssetService.method.getAsset, ...expansion.rpcs],
      ),
      schema: {
        summary: "Find the asset of a tag",
        querystring: Type.Object({ tag: tagText, ...expansion.query }),
        response: { 200: taggedAssetSchema },
      },
    },
    async (request, reply) => {
      const context = forward(request, reply);
      const { tag: given, expand } = request.query;
      const text = codeOf(given);
      const { tagId, assetId } = await clients.tags.lookupTag({ text }, context);
      const answer = await clients.assets.getAsset({ id: assetId }, context);
      const found = asset.present(required(answer.asset), callerOf(request).currencyDigits);
      const shown = { ...found, matched_tag_id: tagId };
      if (expand !== undefined) await expansion.addNames(shown, expand, context);
      return shown;
    },
  );

  create("/tags/commission", {
    summary: "Bind a tag to an asset",
    access: { capability: "edit" },
    rpc: TagService.method.commissionTag,
    record: tag,
    collection: "/tags",
    body: commissionSchema,
    toRequest: (given) => toCommission(given, codeOf),
    isNew: ({ created }) => created,
  });
};
