import { AppError, type ErrorKind, type FieldViolation, invalid, toAppError } from "@asset-register/runtime";
import type { FastifyError } from "fastify";

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
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: "MALFORMED", message: "The body is empty" },
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

const MAX_VIOLATIONS = 50;

/** Any failure of a request as an AppError; what is unknown is INTERNAL and keeps its cause for the log. */
export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, validation, statusCode } = error as Partial<FastifyError>;
  if (validation !== undefined) return invalid(validation.slice(0, MAX_VIOLATIONS).map(violation));
  const known = FASTIFY_ERRORS[code ?? ""];
  if (known !== undefined) return new AppError({ kind: "invalid", ...known, cause: error });
  if (statusCode === 400) {
    return new AppError({
      kind: "invalid",
      code: "MALFORMED",
      message: "The request is malformed",
      cause: error,
    });
  }
  return toAppError(error);
}

/** The status that an error answers with. */
export function httpStatus(error: AppError): number {
  return STATUS_BY_CODE[error.code] ?? STATUS[error.kind];
}

type SchemaViolation = NonNullable<FastifyError["validation"]>[number];

function violation({ instancePath, keyword, params, message }: SchemaViolation): FieldViolation {
  const parent = instancePath.slice(1).replaceAll("/", ".");
  const within = (name: unknown): string => (parent === "" ? String(name) : `${parent}.${String(name)}`);
  if (keyword === "additionalProperties") {
    return { field: within(params.additionalProperty), message: "is not a known field" };
  }
  if (keyword === "required") return { field: within(params.missingProperty), message: "is required" };
  if (keyword === "enum") {
    const allowed = Array.isArray(params.allowedValues) ? params.allowedValues.join(", ") : "";
    return { field: parent, message: `must be one of: ${allowed}` };
  }
  return { field: parent === "" ? "body" : parent, message: message ?? "is not valid" };
}
