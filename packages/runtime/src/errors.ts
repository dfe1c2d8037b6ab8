/** The kind of an error. Each transport maps the kinds to its own codes. */
export type ErrorKind =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "precondition"
  | "exhausted"
  | "unavailable"
  | "internal";

/** An invalid field of a request. `field` is its path with the names in HTTP: "events.0.ts". */
export type FieldViolation = { field: string; message: string };

export type AppErrorInit = {
  kind: ErrorKind;
  code: string;
  message: string;
  violations?: FieldViolation[] | undefined;
  retryAfterMs?: number | undefined;
  detail?: string | undefined;
  cause?: unknown;
};

const GENERIC_MESSAGE = "An internal error occurred. Please try again later.";

/**
 * The only error type that crosses layers. The caller sees `message`, `code` and `violations`. `detail` and
 * `cause` are only logged.
 */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly violations: FieldViolation[];
  readonly retryAfterMs: number | undefined;
  readonly detail: string | undefined;

  constructor(init: AppErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = "AppError";
    this.kind = init.kind;
    this.code = init.code;
    this.violations = init.violations ?? [];
    this.retryAfterMs = init.retryAfterMs;
    this.detail = init.detail;
  }
}

/** The workspace has no records with the ids in these fields of the request: NOT_FOUND. */
export function unknownReferences(fields: string[]): AppError {
  return new AppError({
    kind: "not_found",
    code: "NOT_FOUND",
    message: "A referenced record does not exist.",
    violations: fields.map((field) => ({ field, message: "does not exist" })),
  });
}

/** Fields of the request are invalid: VALIDATION_FAILED. */
export function invalid(violations: FieldViolation[], message = "Some fields are invalid."): AppError {
  return new AppError({ kind: "invalid", code: "VALIDATION_FAILED", message, violations });
}

/** The workspace has no such record: `notFound("work order")`. `field` names the field of the request with the id. */
export function notFound(thing = "record", field?: string): AppError {
  const message = `There is no such ${thing}.`;
  const violations = field === undefined ? [] : [{ field, message }];
  return new AppError({ kind: "not_found", code: "NOT_FOUND", message, violations });
}

/**
 * Returns the value if it is not undefined.
 *
 * @throws AppError NOT_FOUND, see notFound
 */
export function requireFound<T>(value: T | undefined, thing?: string, field?: string): T {
  if (value === undefined) throw notFound(thing, field);
  return value;
}

/** Another change of the record was saved first: CONFLICT. */
export function changedMeanwhile(thing: string): AppError {
  const message = `The ${thing} was changed at the same time. Read it again and retry.`;
  return conflict("CONFLICT", message, [{ field: "rev", message: "has changed" }]);
}

/**
 * The current state of the record forbids the operation. `code` names the rule. `violations` say what it conflicts with:
 * a field, and its value or the id of the other record.
 */
export function conflict(
  code: string,
  message: string,
  violations: [FieldViolation, ...FieldViolation[]],
  cause?: unknown,
): AppError {
  return new AppError({ kind: "conflict", code, message, violations, cause });
}

/** The caller is authenticated and has no permission: FORBIDDEN. */
export function forbidden(message = "You do not have permission to do this."): AppError {
  return new AppError({ kind: "forbidden", code: "FORBIDDEN", message });
}

/** The credential is missing or invalid. */
export function unauthenticated(
  message = "A valid credential is required.",
  code = "UNAUTHENTICATED",
): AppError {
  return new AppError({ kind: "unauthenticated", code, message });
}

/** A dependency does not respond: UNAVAILABLE. The caller may retry after `retryAfterMs`. */
export function unavailable(
  message = "The service is temporarily unavailable. Please try again.",
  retryAfterMs = 1000,
  cause?: unknown,
): AppError {
  return new AppError({ kind: "unavailable", code: "UNAVAILABLE", message, retryAfterMs, cause });
}

/**
 * The work was ended at the deadline of its call: TIMED_OUT. It may be too much work for one call, so it is no sign that
 * the service or its database is unavailable. Over HTTP it is UNAVAILABLE.
 */
export function timedOut(
  message = "The request took too long. Please try again.",
  cause?: unknown,
): AppError {
  return new AppError({ kind: "unavailable", code: "TIMED_OUT", message, retryAfterMs: 1000, cause });
}

/** The record has changed since the caller read it (If-Match, rev): PRECONDITION_FAILED. */
export function precondition(
  message = "The record has changed since it was read. Read it again and retry.",
  violations: FieldViolation[] = [],
): AppError {
  return new AppError({ kind: "precondition", code: "PRECONDITION_FAILED", message, violations });
}

/**
 * Checks the condition of If-Match: the rev of the record is one of `ifRevIn`. An empty list is no condition.
 * Revs start at 1, so 0 never matches. Call it in the transaction that saves the record.
 *
 * @throws AppError PRECONDITION_FAILED, with the present rev
 */
export function requireRev(rev: number, ifRevIn: readonly number[] = []): void {
  if (ifRevIn.length === 0 || ifRevIn.includes(rev)) return;
  throw precondition(undefined, [{ field: "rev", message: String(rev) }]);
}

/** A limit or quota is exceeded: RATE_LIMITED. The caller may retry after `retryAfterMs`. */
export function exhausted(message: string, retryAfterMs: number): AppError {
  return new AppError({ kind: "exhausted", code: "RATE_LIMITED", message, retryAfterMs });
}

/** Returns an AppError unchanged. Converts any other error to an internal one, whose message does not show the cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError({
    kind: "internal",
    code: "INTERNAL",
    message: GENERIC_MESSAGE,
    detail: error instanceof Error ? error.message : String(error),
    cause: error,
  });
}
