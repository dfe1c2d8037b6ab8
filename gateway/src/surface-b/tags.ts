import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import { commissionSchema, presentTag, tagSchema, tagType, toIdentifier } from "../resources/tag.ts";
import type { Surface } from "../surface.ts";

export const tags: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/tags",
    {
      config: declared({ capability: "view" }, TagService.method.listTags),
      schema: {
        summary: "List tags",
        querystring: Type.Object({
          ...pageQueryB,
          type: Type.Optional(tagType.schema),
          assigned: Type.Optional(Type.Boolean()),
        }),
        response: { 200: pageOf(tagSchema) },
      },
    },
    async (request, reply) => {
      const { type, assigned } = request.query;
      const list = await clients.tags.listTags(
        { page: toPageB(request.query), type: tagType.value(type), assigned },
        forward(request, reply),
      );
      return presentListB(list.tags.map(presentTag), list.page);
    },
  );

  app.post(
    "/tags/commission",
    {
      config: declared({ capability: "edit" }, TagService.method.commissionTag),
      schema: {
        summary: "Bind a tag to an asset",
        body: commissionSchema,
        response: { 200: tagSchema, 201: tagSchema },
      },
    },
    async (request, reply) => {
      const { tag, created: isNew } = await clients.tags.commissionTag(
        {
          identifier: toIdentifier(request.body),
          assetId: request.body.asset_id,
          type: tagType.value(request.body.type),
        },
        forward(request, reply),
      );
      const bound = presentTag(required(tag));
      if (isNew) created(reply, `/asset_manager_api/tags/${bound.id}`);
      return bound;
    },
  );
};
