import { randomUUID } from "node:crypto";
import type { Logger } from "@asset-register/runtime";
import Fastify, { LogController } from "fastify";
import { addressList } from "./address-list.ts";
import { checkRoute } from "./http/boot-check.ts";
import { answerClientError } from "./http/client-error.ts";
import { clientRequestIdOf } from "./http/context.ts";
import { errorBodyAt, problem } from "./http/error-body.ts";
import { MAX_BODY_BYTES } from "./http/limits.ts";
import { serializerCompiler } from "./http/serializer.ts";
import { validatorCompiler } from "./http/validator.ts";
import { type AnswerTimeoutOptions, answerTimeout } from "./plugins/answer-timeout.ts";
import { bodies } from "./plugins/bodies.ts";
import { connectionShares } from "./plugins/connection-shares.ts";
import { setCorsHeaders } from "./plugins/cross-origin.ts";
import { deprecations } from "./plugins/deprecations.ts";
import { earlyAnswers } from "./plugins/early-answers.ts";
import { errorHandler, handleError } from "./plugins/error-handler.ts";
import { warnOfForwardingHeaders } from "./plugins/forwarding-headers.ts";
import { gracefulClose } from "./plugins/graceful-close.ts";
import { publicRoutes } from "./plugins/public-routes.ts";
import { queries } from "./plugins/queries.ts";
import { type RequestTimeoutOptions, requestTimeout } from "./plugins/request-timeout.ts";
import { routeTable } from "./plugins/route-table.ts";
import { securityHeaders, setSecurityHeaders } from "./plugins/security-headers.ts";
import { trace } from "./plugins/trace.ts";

/** The headers of a request must arrive within this time. */
const HEADERS_TIMEOUT_MS = 15_000;
/**
 * During a request, a connection without traffic for this time is closed; no request takes that long. Between
 * requests the limit is 72 s, Fastify's default. Load balancers usually close idle connections after 60 s. They must
 * be first: if the gateway closed a connection, the next request might already be on its way.
 */
const STALLED_AFTER_MS = 60_000;
/** As much as Node accepts for the request line and headers: an id of any length reaches its route, which refuses it. */
const MAX_PARAM_LENGTH = 16_384;

export type HttpServerOptions = RequestTimeoutOptions &
  AnswerTimeoutOptions & {
    logger: Logger;
    /** Addresses and CIDR blocks. */
    trustedProxies?: string[] | undefined;
    maxConnections: number;
    maxConnectionsPerNetwork: number;
    corsOrigins?: string[] | undefined;
  };

/**
 * An HTTP server with what http.md requires of every response: request ids, security headers, validation and error
 * bodies. They apply to all routes, and to requests that fail before they reach a route.
 */
export async function createHttpServer(options: HttpServerOptions) {
  const { logger, trustedProxies, maxConnections, maxConnectionsPerNetwork, corsOrigins } = options;
  const proxies = addressList(trustedProxies ?? []);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    bodyLimit: MAX_BODY_BYTES,
    connectionTimeout: STALLED_AFTER_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    // Not Fastify's own list: it does not know a proxy whose address has a port. A reset connection has no address.
    trustProxy: proxies ? (address: string | undefined) => proxies.admits(address ?? "") : false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: () => randomUUID(),
    childLoggerFactory: (parent, bindings, options, { headers }) =>
      parent.child({ ...bindings, client_request_id: clientRequestIdOf(headers) }, options),
    // While the server closes, each open connection may send one more request (plugins/graceful-close.ts).
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: answerClientError,
    // Fastify would join all errors into one text. `violationsOf` reads a limited number of them instead.
    schemaErrorFormatter: () => new Error("The request does not match its schema"),
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(request, reply);
      if (request.url.startsWith("/asset_manager_api/")) setCorsHeaders(request, reply, corsOrigins);
      handleError(error, request, reply, errorBodyAt(request.url));
    },
  });
  app.server.maxConnections = maxConnections;
  app.setValidatorCompiler(validatorCompiler());
  app.setSerializerCompiler(serializerCompiler());
  app.addHook("onRoute", checkRoute);
  if (proxies === undefined) await app.register(warnOfForwardingHeaders, { logger });
  await app.register(connectionShares, { maxPerNetwork: maxConnectionsPerNetwork, proxies });
  await app.register(requestTimeout, options);
  await app.register(answerTimeout, options);
  await app.register(earlyAnswers);
  await app.register(trace);
  await app.register(gracefulClose);
  await app.register(securityHeaders);
  await app.register(bodies);
  await app.register(publicRoutes);
  await app.register(queries);
  await app.register(deprecations);
  await app.register(routeTable);
  await app.register(errorHandler, { body: problem });
  return app;
}
