import { NOT_CALLED } from "@asset-register/rpc";
import { AppError } from "@asset-register/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { asAppError, httpStatus } from "../errors.ts";
import type { ErrorBody } from "../http/error-body.ts";

/** Answers every failure in the form of the surface. */
export const errorHandler = fp<{ body: ErrorBody }>(async (app, { body }) => {
  app.setErrorHandler((thrown, request, reply) => handleError(thrown, request, reply, body));
});

/** Answers with an error, and logs it when it is a fault of ours (5xx). Its cause and detail go only to the log. */
export function handleError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ErrorBody,
): void {
  const error = asAppError(thrown);
  if (httpStatus(error) >= 500 && !isRefusedCall(thrown)) {
    request.log.error({ err: thrown, code: error.code, detail: error.detail }, "request failed");
  }
  sendError(error, request, reply, body);
}

/**
 * Whether a circuit breaker or bulkhead refused a call. An overload causes thousands of these errors, and logging them
 * would add to it. Metrics count them.
 */
const isRefusedCall = (thrown: unknown): boolean => thrown instanceof AppError && thrown.code === NOT_CALLED;

/** Answers with an error. */
export function sendError(
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
