import { type ErrorDetail, ErrorDetailSchema } from "@asset-register/proto/assetregister/common/v1/error_pb";
import { AppError, type ErrorKind, type FieldViolation } from "@asset-register/runtime";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { decodeMessage, encodeMessage } from "./definition.ts";

/** Code of a token between services that is not believed; the user behind the call can do nothing about it. */
export const SERVICE_TOKEN_REFUSED = "SERVICE_TOKEN_REFUSED";

/** Code of a call that was not made, to spare what is behind: a metric has counted it, no log line need tell it. */
export const NOT_CALLED = "NOT_CALLED";

/** Trailer that carries an ErrorDetail. */
export const ERROR_TRAILER = "assetregister-error-bin";

/** The one table between kinds of error and gRPC statuses. */
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

/** What a status means that came without an ErrorDetail: from gRPC itself, or a foreign server. */
const WITHOUT_DETAIL: Partial<Record<status, { kind: ErrorKind; code: string; message: string }>> = {
  [status.UNAVAILABLE]: {
    kind: "unavailable",
    code: "UNAVAILABLE",
    message: "The service is not available right now",
  },
  [status.DEADLINE_EXCEEDED]: {
    kind: "unavailable",
    code: "DEADLINE_EXCEEDED",
    message: "The answer took too long",
  },
  [status.CANCELLED]: { kind: "unavailable", code: "CANCELLED", message: "The call was cancelled" },
  // A user's own credential is refused with an ErrorDetail: this is something between the services.
  [status.UNAUTHENTICATED]: {
    kind: "unavailable",
    code: SERVICE_TOKEN_REFUSED,
    message: "The service is not available right now",
  },
  [status.PERMISSION_DENIED]: { kind: "forbidden", code: "FORBIDDEN", message: "You may not do this" },
  [status.RESOURCE_EXHAUSTED]: {
    kind: "invalid",
    code: "PAYLOAD_TOO_LARGE",
    message: "The message is too large",
  },
};

const RETRY_AFTER_MS = 1000;

/** The failure of a call that was not made. */
export const notCalled = (message: string, retryAfterMs = RETRY_AFTER_MS, cause?: unknown): AppError =>
  new AppError({ kind: "unavailable", code: NOT_CALLED, message, retryAfterMs, cause });

/** Node ends a stream whose headers exceed 64 KiB; base64 makes this 16 KiB. */
const MAX_VIOLATION_BYTES = 12 * 1024;
/** Tags and lengths of a violation and its two texts. */
const VIOLATION_OVERHEAD = 10;

/** What grpc-js sends for an error: the status of its kind, the public message, the rest in the trailer. */
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

/** The first violations: a trailer beyond what HTTP/2 allows would break the stream, and the error with it. */
function fitting(violations: FieldViolation[]): FieldViolation[] {
  let bytes = 0;
  const beyond = violations.findIndex(({ field, message }) => {
    bytes += Buffer.byteLength(field) + Buffer.byteLength(message) + VIOLATION_OVERHEAD;
    return bytes > MAX_VIOLATION_BYTES;
  });
  return beyond === -1 ? violations : violations.slice(0, beyond);
}

/** Name of an error's status, for metrics. */
export function statusNameOf(error: AppError): string {
  return status[statusOf(error)];
}

/** These keep their own status: UNAVAILABLE invites another try, they do not. */
function statusOf(error: AppError): status {
  if (error.code === "DEADLINE_EXCEEDED") return status.DEADLINE_EXCEEDED;
  if (error.code === "CANCELLED") return status.CANCELLED;
  if (error.code === SERVICE_TOKEN_REFUSED) return status.UNAUTHENTICATED;
  return STATUS_OF[error.kind];
}

/** The AppError behind a failed call; what gRPC itself says stays in `detail`, unseen by callers. */
export function fromServiceError(error: ServiceError): AppError {
  const detail = detailOf(error.metadata);
  if (detail !== undefined && isKind(detail.kind)) return fromErrorDetail(detail, error);
  const known = WITHOUT_DETAIL[error.code];
  const fallback = {
    kind: "internal",
    code: "INTERNAL",
    message: "Something went wrong on our side",
  } as const;
  const meaning = known ?? fallback;
  return new AppError({
    ...meaning,
    retryAfterMs: meaning.kind === "unavailable" ? RETRY_AFTER_MS : undefined,
    detail: error.message,
    cause: error,
  });
}

/** The AppError that an ErrorDetail tells of, from a trailer or from one item of an answer. */
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

/** A service's token can't be verified: unavailable, as far as any user is concerned. `detail` says why, for the log. */
export function serviceTokenRefused(detail: string, cause: unknown): AppError {
  return new AppError({
    kind: "unavailable",
    code: SERVICE_TOKEN_REFUSED,
    message: "The service is not available right now",
    retryAfterMs: RETRY_AFTER_MS,
    detail,
    cause,
  });
}

/** The caller's time is up before an answer came. */
export function deadlineExceeded(detail?: string): AppError {
  return new AppError({
    kind: "unavailable",
    code: "DEADLINE_EXCEEDED",
    message: "The answer took too long",
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
