import { TagService } from "@asset-register/proto/assetregister/tagging_ingest/v1/tag_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentA, presentListA } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { envelope, envelopeList, pageQueryA, toPageA } from "../http/schemas.ts";
import { commissionSchema, presentTag, tagSchema, tagType, toIdentifier } from "../resources/tag.ts";
import type { Surface } from "../surface.ts";

export const tags: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  app.get(
    "/tags",
    {
      config: declared({ scope: "tags:read" }, TagService.method.listTags),
      schema: {
        summary: "List tags",
        querystring: Type.Object({
          ...pageQueryA,
          type: Type.Optional(tagType.schema),
          assigned: Type.Optional(Type.Boolean()),
        }),
        response: { 200: envelopeList(tagSchema) },
      },
    },
    async (request, reply) => {
      const { type, assigned } = request.query;
      const list = await clients.tags.listTags(
        { page: toPageA(request.query), type: tagType.value(type), assigned },
        forward(request, reply),
      );
      return presentListA("Tags", list.tags.map(presentTag), list.page);
    },
  );

  app.post(
    "/tags/commission",
    {
      config: declared({ scope: "tags:write" }, TagService.method.commissionTag),
      schema: {
        summary: "Bind a tag to an asset",
        body: commissionSchema,
        response: { 200: envelope(tagSchema), 201: envelope(tagSchema) },
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
      if (isNew) created(reply, `/v1/tags/${bound.id}`);
      return presentA(isNew ? "Tag commissioned" : "Tag was bound to this asset already", bound);
    },
  );
};
