import { unavailable } from "@asset-register/runtime";
import fp from "fastify-plugin";
import type { ErrorBody } from "../http/error-body.ts";
import type { Load } from "../load.ts";
import { sendError } from "./error-handler.ts";

/**
 * Refuses requests with 503 while the process is overloaded, before any other work for them. A metric counts the
 * refusals. They are not logged, because logging would add to the overload.
 */
export const loadShedding = fp<{ load: Load; body: ErrorBody }>(async (app, { load, body }) => {
  app.addHook("onRequest", (request, reply, done) => {
    if (!load.begin()) return sendError(unavailable(OVERLOADED), request, reply, body);
    // Also emitted when the client disconnects. Bulkheads limit the work that continues after that.
    reply.raw.once("close", load.ended);
    done();
  });
});

const OVERLOADED = "The service is overloaded. Retry after the time in the Retry-After header.";
