import { NOT_CALLED } from "@asset-register/rpc";
import { AppError } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { asAppError, httpStatus } from "../errors.ts";
import type { ErrorBody } from "../http/error-body.ts";

/** Every failure, unknown addresses too, in the surface's own words. */
export const answerErrors = fp<{ body: ErrorBody }>(async (app, { body }) => {
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply, body));
  app.setNotFoundHandler((request, reply) => sendError(unknownAddress(), request, reply, body));
});

const unknownAddress = (): AppError =>
  new AppError({ kind: "not_found", code: "NOT_FOUND", message: "No route has this address." });

/** Answers with a failure, and logs one of ours; what is internal goes to the log alone. */
export function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ErrorBody,
): void {
  const error = asAppError(thrown);
  if (httpStatus(error) >= 500 && !isCounted(thrown)) {
    request.log.error({ err: thrown, code: error.code, detail: error.detail }, "request failed");
  }
  answerError(error, request, reply, body);
}

/** What a breaker or bulkhead refuses comes by the thousand just when there is no time for log lines. */
const isCounted = (thrown: unknown): boolean => thrown instanceof AppError && thrown.code === NOT_CALLED;

/** Answers with a failure. */
export function answerError(
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ErrorBody,
): void {
  const status = httpStatus(error);
  if (error.retryAfterMs !== undefined) reply.header("retry-after", Math.ceil(error.retryAfterMs / 1000));
  if (status === 401) reply.header("www-authenticate", "Bearer");
  reply
    .code(status)
    .type(body.contentType)
    .serializer(JSON.stringify)
    .send(body.present(error, status, request.id));
}
