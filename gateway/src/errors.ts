import { AppError, type ErrorKind, invalid, notFound, toAppError } from "@asset-register/runtime";
import type { FastifyError } from "fastify";
import { violationsOf } from "./http/violations.ts";

/** The one table from what went wrong to an HTTP status. */
const STATUS: Record<ErrorKind, number> = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 412,
  exhausted: 429,
  unavailable: 503,
  internal: 500,
};

/** Codes whose status is narrower than their kind says. */
const STATUS_BY_CODE: Record<string, number> = {
  MALFORMED: 400,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
};

/** What Fastify itself refuses, in our words. */
const FASTIFY_ERRORS: Record<string, { code: string; message: string }> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { code: "MALFORMED", message: "The body is not valid JSON" },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: "MALFORMED", message: "The body's length is not as announced" },
  FST_ERR_BAD_URL: { code: "MALFORMED", message: "The path is not a valid URL" },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: "PAYLOAD_TOO_LARGE",
    message: "The body is larger than this route takes",
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: "This route does not take that content type",
  },
};

/** Any failure of a request as an AppError; what is unknown is INTERNAL and keeps its cause for the log. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return retryable(error);
  const { code = "", validation, validationContext, statusCode } = error as Partial<FastifyError>;
  // An id in a path that can't be one is as unknown as any other.
  if (validationContext === "params") return notFound();
  if (validation !== undefined) return invalid(violationsOf(validation));
  const known = FASTIFY_ERRORS[code];
  if (known !== undefined) return new AppError({ kind: "invalid", ...known, cause: error });
  if (statusCode === 400) return malformed("The request is malformed", error);
  return toAppError(error);
}

/** The status that an error answers with. */
export function httpStatus(error: AppError): number {
  return STATUS_BY_CODE[error.code] ?? STATUS[error.kind];
}

/** A request that can't be read: 400. */
export const malformed = (message: string, cause?: unknown): AppError =>
  new AppError({ kind: "invalid", code: "MALFORMED", message, cause });

/** A body in a form that the route does not take: 415. */
export const unsupportedMediaType = (message: string): AppError =>
  new AppError({ kind: "invalid", code: "UNSUPPORTED_MEDIA_TYPE", message });

/**
 * For a route whose fields have other names than those of its RPC: a failure in
 * the route's own words, thrown again.
 */
export const inWordsOf =
  (names: Record<string, string>) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.violations.length === 0) throw error;
    const { kind, code, message, retryAfterMs, detail } = error;
    const violations = error.violations.map(({ field, message }) => ({
      field: names[field] ?? field,
      message,
    }));
    throw new AppError({ kind, code, message, violations, retryAfterMs, detail, cause: error });
  };

const RETRY_AFTER_MS = 1000;

/**
 * 503 has one code, whatever made it (a deadline, a breaker, a lost connection),
 * and both 503 and 429 always say when to come back.
 */
function retryable(error: AppError): AppError {
  const { kind, message, violations, detail, retryAfterMs = RETRY_AFTER_MS } = error;
  const code = kind === "unavailable" ? "UNAVAILABLE" : error.code;
  if (kind !== "unavailable" && kind !== "exhausted") return error;
  if (code === error.code && error.retryAfterMs !== undefined) return error;
  return new AppError({ kind, code, message, violations, retryAfterMs, detail, cause: error });
}
