import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { created, forward } from "../http/context.ts";
import { presentA } from "../http/present.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { envelope } from "../http/schemas.ts";
import { commissionSchema, tag, tagQuery, toCommission } from "../resources/tag.ts";
import type { Surface } from "../surface.ts";

export const tags: FastifyPluginAsyncTypebox<Surface> = async (app, { clients, codeOf }) => {
  const { list, get } = readRoutes(app, clients, "a");

  list("/tags", {
    summary: "List tags",
    access: { scope: "tags:read" },
    rpc: TagService.method.listTags,
    record: tag,
    query: tagQuery,
  });

  get("/tags/:id", {
    summary: "Retrieve one tag",
    access: { scope: "tags:read" },
    rpc: TagService.method.getTag,
    record: tag,
  });

  app.post(
    "/tags/commission",
    {
      config: declared({ scope: "tags:write" }, TagService.method.commissionTag),
      schema: {
        summary: "Bind a tag to an asset",
        body: commissionSchema,
        response: { 200: envelope(tag.schema), 201: envelope(tag.schema) },
      },
    },
    async (request, reply) => {
      const message = toCommission(request.body, codeOf);
      const answer = await clients.tags.commissionTag(message, forward(request, reply));
      const bound = tag.present(required(answer.tag));
      if (!answer.created) return presentA("Tag already bound to this asset", bound);
      created(reply, `/v1/tags/${bound.id}`);
      return presentA("Tag commissioned", bound);
    },
  );
};
