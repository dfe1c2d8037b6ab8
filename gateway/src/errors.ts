import {
  AppError,
  type AppErrorInit,
  type ErrorKind,
  invalid,
  notFound,
  toAppError,
} from "@asset-register/runtime";
import type { FastifyError } from "fastify";
import { violationsOf } from "./http/violations.ts";

/** The HTTP status of each kind of error. */
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

/** Codes with a more specific status than their kind. */
const STATUS_BY_CODE: Record<string, number> = {
  MALFORMED: 400,
  METHOD_NOT_ALLOWED: 405,
  CURSOR_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
};

/** Our codes and messages for errors of Fastify. */
const FASTIFY_ERRORS: Record<string, { code: string; message: string }> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { code: "MALFORMED", message: "The body is not valid JSON." },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: "MALFORMED",
    message: "The length of the body differs from its Content-Length.",
  },
  FST_ERR_BAD_URL: {
    code: "MALFORMED",
    message: "The path of the URL is not valid. Percent-encode special characters.",
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: "PAYLOAD_TOO_LARGE",
    message: "The body is larger than this route accepts.",
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: "This route does not accept this content type. Send application/json.",
  },
};

/** Any failure of a request as an AppError. An unknown error becomes INTERNAL, with its cause for the log. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return withRetryAfter(error);
  const { code = "", validation, validationContext, statusCode } = error as Partial<FastifyError>;
  // An id in the path that violates its schema can't exist: the record is not found.
  if (validationContext === "params") return notFound();
  if (validation !== undefined) return invalid(violationsOf(validation));
  const known = FASTIFY_ERRORS[code];
  if (known !== undefined) return new AppError({ kind: "invalid", ...known, cause: error });
  if (statusCode === 400) return malformed("The request is malformed.", error);
  return toAppError(error);
}

/** An error of surface B whose problem has further members, such as the challenge of a second step. */
export class ProblemError extends AppError {
  readonly members: object;

  constructor(init: AppErrorInit, members: object) {
    super(init);
    this.members = members;
  }
}

/** The HTTP status of an error. */
export function httpStatus(error: AppError): number {
  return STATUS_BY_CODE[error.code] ?? STATUS[error.kind];
}

/** The request can't be read: 400. */
export const malformed = (message: string, cause?: unknown): AppError =>
  new AppError({ kind: "invalid", code: "MALFORMED", message, cause });

/** The route does not accept this form of body: 415. */
export const unsupportedMediaType = (message: string): AppError =>
  new AppError({ kind: "invalid", code: "UNSUPPORTED_MEDIA_TYPE", message });

/**
 * Renames the fields in an error and throws it again, for a route whose fields have other names than those of its
 * RPC: `rpc(...).catch(renameFields({ due_on: "due_at" }))`.
 */
export const renameFields =
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
 * Every 503 has the code UNAVAILABLE, whatever its reason is (deadline, breaker, lost connection). Every 503 and 429 has
 * a time for Retry-After.
 */
function withRetryAfter(error: AppError): AppError {
  const { kind, message, violations, detail, retryAfterMs = RETRY_AFTER_MS } = error;
  const code = kind === "unavailable" ? "UNAVAILABLE" : error.code;
  if (kind !== "unavailable" && kind !== "exhausted") return error;
  if (code === error.code && error.retryAfterMs !== undefined) return error;
  return new AppError({ kind, code, message, violations, retryAfterMs, detail, cause: error });
}
