import { unavailable } from "@asset-register/runtime";
import fp from "fastify-plugin";
import type { ErrorBody } from "../http/error-body.ts";
import type { Load } from "../load.ts";
import { answerError } from "./answer-errors.ts";

/**
 * Refuses what is too much before anything is done for it, and writes no log
 * line about it: that is a metric's to tell.
 */
export const shed = fp<{ load: Load; body: ErrorBody }>(async (app, { load, body }) => {
  app.addHook("onRequest", (request, reply, done) => {
    if (!load.begin()) return answerError(unavailable(TOO_MUCH), request, reply, body);
    // Also comes when the client is gone; what is still done for it then is bounded by the bulkheads.
    reply.raw.once("close", load.ended);
    done();
  });
});

const TOO_MUCH = "Too much is going on right now: come back as Retry-After says";
