import type { FastifyPluginAsync } from "fastify";
import Type from "typebox";
import { feedRoutes } from "../feed/feed-routes.ts";
import { feedEntry, feedPosition } from "../resources/feed-entry.ts";
import type { Surface } from "../surface.ts";

const pageSchema = Type.Object({ data: Type.Array(feedEntry.schema), ...feedPosition });

/** The event feed for apps. */
export const events: FastifyPluginAsync<Surface> = async (app, surface) => {
  feedRoutes(app, surface, {
    ...{ name: "b", access: { capability: "view" }, pageSchema },
    pageText: (data, position) => `{"data":${data},${position}}`,
  });
};
