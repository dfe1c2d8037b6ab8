import type { Logger } from "@asset-register/runtime";
import fp from "fastify-plugin";

const FORWARDING_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip"];

/**
 * Warns once when a request has a forwarding header, for a gateway without TRUSTED_PROXIES. It is probably behind a
 * proxy, whose address then counts as the address of every client: all of them share its limits.
 */
export const warnOfForwardingHeaders = fp<{ logger: Logger }>(async (app, { logger }) => {
  let warned = false;
  app.addHook("onRequest", (request, _reply, done) => {
    const header = warned
      ? undefined
      : FORWARDING_HEADERS.find((name) => request.headers[name] !== undefined);
    if (header !== undefined) {
      warned = true;
      logger.warn(
        { header, peer: request.socket.remoteAddress },
        "requests have forwarding headers, which are ignored: TRUSTED_PROXIES is not set",
      );
    }
    done();
  });
});
