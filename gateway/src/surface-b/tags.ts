import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { commissionSchema, tag, tagQuery, toCommission } from "../resources/tag.ts";
import type { Surface } from "../surface.ts";

export const tags: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list } = readRoutes(app, clients, "b");

  list("/tags", {
    summary: "List tags",
    access: { capability: "view" },
    rpc: TagService.method.listTags,
    record: tag,
    query: tagQuery,
  });

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
