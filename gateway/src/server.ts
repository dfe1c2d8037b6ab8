import { randomUUID } from "node:crypto";
import type { Logger } from "@asset-register/runtime";
import Fastify, { LogController } from "fastify";
import { checkRoute } from "./http/boot-check.ts";
import { answerClientError } from "./http/client-error.ts";
import { errorBodyAt, problem } from "./http/error-body.ts";
import { MAX_BODY_BYTES } from "./http/limits.ts";
import { validatorCompiler } from "./http/validator.ts";
import { answerErrors, sendError } from "./plugins/answer-errors.ts";
import { bodies } from "./plugins/bodies.ts";
import { allowOrigin } from "./plugins/cross-origin.ts";
import { deprecations } from "./plugins/deprecations.ts";
import { lastAnswers } from "./plugins/last-answers.ts";
import { queries } from "./plugins/queries.ts";
import { routeTable } from "./plugins/route-table.ts";
import { secure, securityHeaders } from "./plugins/security-headers.ts";
import { trace } from "./plugins/trace.ts";

/** For a whole request to arrive: what trickles in slower holds a socket for nothing. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Of which its headers get so much. */
const HEADERS_TIMEOUT_MS = 15_000;
/**
 * So long nothing may move on a connection while it is asked or answered; no
 * request takes that long. Between requests it is 72 s, Fastify's default, above
 * the 60 s of usual load balancers: they end connections first, we none under them.
 */
const STALLED_AFTER_MS = 60_000;
/** More than Node takes of a request's line and headers: a path is judged by its route, within its surface. */
const MAX_PARAM_LENGTH = 16_384;
const REQUEST_ID = /^[\w.-]{1,128}$/;

export type HttpServerOptions = {
  logger: Logger;
  trustedProxies?: string[] | undefined;
  maxConnections: number;
  corsOrigins?: string[] | undefined;
};

/** An HTTP server that gives every route, and every failure before a route, what http.md promises of all. */
export async function createHttpServer(options: HttpServerOptions) {
  const { logger, trustedProxies, maxConnections, corsOrigins } = options;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: STALLED_AFTER_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    trustProxy: trustedProxies ?? false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: ({ headers }) => {
      const given = headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    // While it closes, requests on open connections are still served, each as its connection's last.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    clientErrorHandler: answerClientError,
    // Errors are told by `violationsOf`, which reads a bounded number of them; Fastify would join all in a text.
    schemaErrorFormatter: () => new Error("The request does not fit its schema"),
    frameworkErrors: (error, request, reply) => {
      secure(request, reply);
      if (request.url.startsWith("/asset_manager_api/")) allowOrigin(request, reply, corsOrigins);
      sendError(error, request, reply, errorBodyAt(request.url));
    },
  });
  app.server.maxConnections = maxConnections;
  app.setValidatorCompiler(validatorCompiler());
  app.addHook("onRoute", checkRoute);
  await app.register(trace);
  await app.register(lastAnswers);
  await app.register(securityHeaders);
  await app.register(bodies);
  await app.register(queries);
  await app.register(deprecations);
  await app.register(routeTable);
  await app.register(answerErrors, { body: problem });
  return app;
}
