import { notFound } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { asAppError, httpStatus } from "../errors.ts";
import type { ErrorBody } from "../http/error-body.ts";

/** Every failure, unknown addresses too, in the surface's own words. */
export const answerErrors = fp<{ body: ErrorBody }>(async (app, { body }) => {
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply, body));
  app.setNotFoundHandler((request, reply) =>
    sendError(notFound("There is nothing at this address"), request, reply, body),
  );
});

/** Answers with a failure; what is internal goes to the log alone. */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ErrorBody,
): void {
  const error = asAppError(thrown);
  const status = httpStatus(error);
  if (status >= 500) {
    request.log.error({ err: thrown, code: error.code, detail: error.detail }, "request failed");
  }
  if (error.retryAfterMs !== undefined) reply.header("retry-after", Math.ceil(error.retryAfterMs / 1000));
  if (status === 401) reply.header("www-authenticate", "Bearer");
  reply
    .code(status)
    .type(body.contentType)
    .serializer(JSON.stringify)
    .send(body.present(error, status, request.id));
}
