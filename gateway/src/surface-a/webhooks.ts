import type { FastifyPluginAsync } from "fastify";
import type { Surface } from "../surface.ts";
import { webhookRoutes } from "../webhook-routes.ts";

/** Webhooks for programs. */
export const webhooks: FastifyPluginAsync<Surface> = async (app, surface) => {
  webhookRoutes(app, surface, "a", {
    read: { scope: "webhooks:read" },
    write: { scope: "webhooks:write" },
  });
};
