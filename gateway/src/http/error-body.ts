import type { AppError } from "@asset-register/runtime";
import { ProblemError } from "../errors.ts";

/** The form of error responses on a surface. */
export type ErrorBody = {
  contentType: string;
  present(error: AppError, status: number, requestId: string): object;
};

/** Surface A: the same envelope as a success, without `data`. */
export const envelopeError: ErrorBody = {
  contentType: "application/json; charset=utf-8",
  present: ({ code, message, violations }, _status, request_id) => ({
    success: false,
    message,
    code,
    errors: violations,
    request_id,
  }),
};

/** Surface B, and paths outside both surfaces: problem details of RFC 9457. The type is the address of the code's text. */
export const problem: ErrorBody = {
  contentType: "application/problem+json; charset=utf-8",
  present: (error, status, request_id) => ({
    type: `/docs/errors#${error.code}`,
    title: TITLES[status] ?? "Error",
    status,
    detail: error.message,
    code: error.code,
    errors: error.violations,
    request_id,
    ...(error instanceof ProblemError && error.members),
  }),
};

/** The form for a request that fails before its route is known. */
export const errorBodyAt = (path: string): ErrorBody => (path.startsWith("/v1/") ? envelopeError : problem);

/** The title of a problem is the name of its status. */
const TITLES: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
