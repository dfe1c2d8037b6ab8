import { exhausted } from "@asset-register/runtime";
import fp from "fastify-plugin";
import { callerOf } from "../http/context.ts";
import { whenClosed } from "../http/when-closed.ts";
import { createShares } from "../shares.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A report or export, of which a workspace may run few at once. */
    heavy?: true;
  }
}

/** The reports and exports that a workspace may run at once in one process (operations.md, Fairness). */
const AT_ONCE = 2;

/** Nobody knows when one of the others will end. */
const RETRY_AFTER_MS = 5_000;

const TOO_MANY =
  "Two reports or exports of this workspace are running. Retry after the time in the Retry-After header.";

/** Limits requests to heavy routes. A request counts until its response has ended or its client has disconnected. */
export const heavyRequests = fp(async (app) => {
  const shares = createShares();

  app.addHook("preHandler", (request, reply, done) => {
    if (!request.routeOptions.config.heavy) return done();
    const { workspaceId } = callerOf(request).principal;
    const release = shares.take([{ key: workspaceId, max: AT_ONCE }]);
    if (release === undefined) return done(exhausted(TOO_MANY, RETRY_AFTER_MS));
    whenClosed(reply, release);
    done();
  });
});
