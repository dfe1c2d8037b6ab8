import { AppError } from "@asset-register/runtime";
import fp from "fastify-plugin";

/**
 * Answers 404 to addresses of no route, before their body is read. Register it after the hooks that run for them too,
 * such as the shedding of load.
 */
export const unknownAddresses = fp(async (app) => {
  // Fastify runs the hooks of this scope for its unknown addresses only if it has a handler of its own.
  app.setNotFoundHandler(() => {
    throw unknownAddress();
  });
  app.addHook("onRequest", (request, _reply, done) => {
    done(request.is404 ? unknownAddress() : undefined);
  });
});

const unknownAddress = (): AppError =>
  new AppError({ kind: "not_found", code: "NOT_FOUND", message: "No route has this address." });
