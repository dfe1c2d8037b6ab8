import type { FastifyPluginAsync } from "fastify";
import type { Surface } from "../surface.ts";
import { webhookRoutes } from "../webhook-routes.ts";

/** Webhooks for admins. They are part of API access, so the workspace needs a plan that includes it. */
export const webhooks: FastifyPluginAsync<Surface> = async (app, surface) => {
  const access = { capability: "admin", needsApiAccess: true } as const;
  webhookRoutes(app, surface, "b", { read: access, write: access });
};
