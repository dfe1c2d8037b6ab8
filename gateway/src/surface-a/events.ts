import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { feedRoutes } from "../feed/feed-routes.ts";
import { envelope } from "../http/schemas.ts";
import { feedEntry, feedPosition } from "../resources/feed-entry.ts";
import type { Surface } from "../surface.ts";

const pageSchema = Type.Object({
  ...envelope(Type.Array(feedEntry.schema)).properties,
  meta: Type.Object(feedPosition),
});

/** The event feed for programs. */
export const events: FastifyPluginAsync<Surface> = async (app, surface) => {
  feedRoutes(app, surface, {
    ...{ name: "a", access: { scope: "events:read" }, pageSchema },
    pageText: (data, position) => `{"success":true,"message":"OK","data":${data},"meta":{${position}}}`,
  });
};
