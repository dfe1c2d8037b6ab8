import { PresenceService } from "@asset-register/proto/assetregister/tagging_ingest/v1/presence_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { forward } from "../http/context.ts";
import { cursorList } from "../http/cursor-routes.ts";
import { expansionOf } from "../http/expand/expansion.ts";
import { declared } from "../http/routes.ts";
import { presentTag, zonePresence } from "../resources/presence.ts";
import type { Surface } from "../surface.ts";

const { listPresentTags, countPresence } = PresenceService.method;

export const presence: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const answer = Type.Object({ data: Type.Array(zonePresence.schema) });
  const expansion = expansionOf(clients, answer);
  app.get<{ Querystring: { expand?: string[] } }>(
    "/zones/presence",
    {
      config: declared({ capability: "view" }, countPresence, ...expansion.rpcs),
      schema: {
        summary: "How many assets and unknown tags are in each zone now",
        querystring: Type.Object(expansion.query),
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const options = forward(request, reply);
      const { zones } = await clients.presence.countPresence({}, options);
      const data = zones.map((one) => zonePresence.present(one));
      await expansion.addNames({ data }, request.query.expand ?? [], options);
      return { data };
    },
  );

  cursorList(app, clients, "/zones/:id/presence", {
    summary: "List the tags that are in a zone now, in the order in which they came",
    access: { capability: "view" },
    rpc: listPresentTags,
    record: presentTag,
    toRequest: (zoneId) => ({ zoneId }),
  });
};
