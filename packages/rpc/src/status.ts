import { type ErrorDetail, ErrorDetailSchema } from "@asset-register/proto/assetregister/common/v1/error_pb";
import { AppError, type ErrorKind, type FieldViolation } from "@asset-register/runtime";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { decodeMessage, encodeMessage } from "./definition.ts";

/** Code of a refused token between services. The user behind the call cannot do anything about it. */
export const SERVICE_TOKEN_REFUSED = "SERVICE_TOKEN_REFUSED";

/** Code of a call that was not made, to protect an upstream. A metric counts it, so it need not be logged. */
export const NOT_CALLED = "NOT_CALLED";

/** Trailer that contains an ErrorDetail. */
export const ERROR_TRAILER = "assetregister-error-bin";

export const UNAVAILABLE_MESSAGE = "The service is temporarily unavailable. Please try again.";
const DEADLINE_MESSAGE = "The answer took too long. Please try again.";

/** Maps the kinds of errors to gRPC statuses. */
const STATUS_OF: Record<ErrorKind, status> = {
  invalid: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  conflict: status.ABORTED,
  precondition: status.FAILED_PRECONDITION,
  exhausted: status.RESOURCE_EXHAUSTED,
  unavailable: status.UNAVAILABLE,
  internal: status.INTERNAL,
};

/** The meaning of a status without an ErrorDetail. It comes from gRPC itself or from another kind of server. */
const WITHOUT_DETAIL: Partial<Record<status, { kind: ErrorKind; code: string; message: string }>> = {
  [status.UNAVAILABLE]: {
    kind: "unavailable",
    code: "UNAVAILABLE",
    message: UNAVAILABLE_MESSAGE,
  },
  [status.DEADLINE_EXCEEDED]: {
    kind: "unavailable",
    code: "DEADLINE_EXCEEDED",
    message: DEADLINE_MESSAGE,
  },
  [status.CANCELLED]: { kind: "unavailable", code: "CANCELLED", message: "The call was cancelled." },
  // The refusal of a user's credential has an ErrorDetail, so this is a refused token of a service.
  [status.UNAUTHENTICATED]: {
    kind: "unavailable",
    code: SERVICE_TOKEN_REFUSED,
    message: UNAVAILABLE_MESSAGE,
  },
  [status.PERMISSION_DENIED]: {
    kind: "forbidden",
    code: "FORBIDDEN",
    message: "You do not have permission to do this.",
  },
  [status.RESOURCE_EXHAUSTED]: {
    kind: "invalid",
    code: "PAYLOAD_TOO_LARGE",
    message: "The message is too large.",
  },
};

const RETRY_AFTER_MS = 1000;

/** The error of a call that was not made. */
export const notCalled = (message: string, retryAfterMs = RETRY_AFTER_MS, cause?: unknown): AppError =>
  new AppError({ kind: "unavailable", code: NOT_CALLED, message, retryAfterMs, cause });

/** 16 KiB in base64. Node ends a stream whose headers exceed 64 KiB. */
const MAX_VIOLATION_BYTES = 12 * 1024;
/** Bytes for tags and lengths of a violation and its two texts. */
const VIOLATION_OVERHEAD = 10;

/** Converts an error for grpc-js: status and public message, and all public parts in the trailer. */
export function toStatus(error: AppError, trailer: Metadata = new Metadata()) {
  const detail = encodeMessage(ErrorDetailSchema, {
    kind: error.kind,
    code: error.code,
    message: error.message,
    violations: fitting(error.violations),
    retryAfterMs: Math.max(0, Math.ceil(error.retryAfterMs ?? 0)),
  });
  trailer.set(ERROR_TRAILER, detail);
  return { code: statusOf(error), details: error.message, metadata: trailer };
}

/** Returns as many violations as fit. A trailer that is too large for HTTP/2 would break the stream and lose the error. */
function fitting(violations: FieldViolation[]): FieldViolation[] {
  let bytes = 0;
  const beyond = violations.findIndex(({ field, message }) => {
    bytes += Buffer.byteLength(field) + Buffer.byteLength(message) + VIOLATION_OVERHEAD;
    return bytes > MAX_VIOLATION_BYTES;
  });
  return beyond === -1 ? violations : violations.slice(0, beyond);
}

/** The name of an error's status, for metrics. */
export function statusNameOf(error: AppError): string {
  return status[statusOf(error)];
}

/** The status of an error. The first four codes are not UNAVAILABLE, because clients retry UNAVAILABLE. */
function statusOf(error: AppError): status {
  if (error.code === "DEADLINE_EXCEEDED" || error.code === "TIMED_OUT") return status.DEADLINE_EXCEEDED;
  if (error.code === "CANCELLED") return status.CANCELLED;
  if (error.code === SERVICE_TOKEN_REFUSED) return status.UNAUTHENTICATED;
  return STATUS_OF[error.kind];
}

/** Converts the error of a failed call. The text of gRPC goes to `detail`, which callers do not see. */
export function fromServiceError(error: ServiceError): AppError {
  const detail = detailOf(error.metadata);
  if (detail !== undefined && isKind(detail.kind)) return fromErrorDetail(detail, error);
  const known = WITHOUT_DETAIL[error.code];
  const fallback = {
    kind: "internal",
    code: "INTERNAL",
    message: "An internal error occurred. Please try again later.",
  } as const;
  const meaning = known ?? fallback;
  return new AppError({
    ...meaning,
    retryAfterMs: meaning.kind === "unavailable" ? RETRY_AFTER_MS : undefined,
    detail: error.message,
    cause: error,
  });
}

/** Converts an ErrorDetail, from a trailer or from one item of an answer. */
export function fromErrorDetail(detail: ErrorDetail, cause?: unknown): AppError {
  const { kind, code, message, violations, retryAfterMs } = detail;
  return new AppError({
    kind: isKind(kind) ? kind : "internal",
    code,
    message,
    violations: violations.map(({ field, message }) => ({ field, message })),
    retryAfterMs: retryAfterMs > 0 ? retryAfterMs : undefined,
    cause,
  });
}

/** The error for a refused token of a service. For users it means unavailable. `detail` is the reason, for the log. */
export function serviceTokenRefused(detail: string, cause?: unknown): AppError {
  return new AppError({
    kind: "unavailable",
    code: SERVICE_TOKEN_REFUSED,
    message: UNAVAILABLE_MESSAGE,
    retryAfterMs: RETRY_AFTER_MS,
    detail,
    cause,
  });
}

/** The error for a deadline that passed before the answer. */
export function deadlineExceeded(detail?: string): AppError {
  return new AppError({
    kind: "unavailable",
    code: "DEADLINE_EXCEEDED",
    message: DEADLINE_MESSAGE,
    retryAfterMs: RETRY_AFTER_MS,
    detail,
  });
}

function detailOf(metadata: Metadata | undefined): ErrorDetail | undefined {
  const [bytes] = metadata?.get(ERROR_TRAILER) ?? [];
  if (!(bytes instanceof Buffer)) return undefined;
  try {
    return decodeMessage(ErrorDetailSchema, bytes);
  } catch {
    return undefined;
  }
}

function isKind(kind: string): kind is ErrorKind {
  return Object.hasOwn(STATUS_OF, kind);
}
