import fp from "fastify-plugin";
import { createWorkspaceShare } from "../http/workspace-share.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A report or export, of which a workspace may run few at once. */
    heavy?: true;
  }
}

/** Limits requests to heavy routes (operations.md, Fairness). */
export const heavyRequests = fp(async (app) => {
  const takeShare = createWorkspaceShare({
    atOnce: 2,
    tooMany:
      "Two reports or exports of this workspace are running. Retry after the time in the Retry-After header.",
    // Nobody knows when one of the others will end.
    retryAfterMs: 5_000,
  });

  app.addHook("preHandler", async (request, reply) => {
    if (request.routeOptions.config.heavy) takeShare(request, reply);
  });
});
