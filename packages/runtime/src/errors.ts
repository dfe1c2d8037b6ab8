/** What went wrong, in nine words that transports map to their own codes. */
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

/** One field of a request that is not acceptable; `field` is its path in the caller's words: "events.0.ts". */
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

const GENERIC_MESSAGE = "Something went wrong on our side";

/**
 * The one error that crosses layers. `message`, `code` and `violations` are shown to the caller;
 * `detail` and `cause` are for the log alone.
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

/** Nothing with these ids in the caller's workspace, which stood in these fields of a body. */
export function unknownReferences(fields: string[]): AppError {
  return new AppError({
    kind: "not_found",
    code: "NOT_FOUND",
    message: "A record that is referred to does not exist",
    violations: fields.map((field) => ({ field, message: "does not exist" })),
  });
}

/** Fields of the request are not acceptable: VALIDATION_FAILED. */
export function invalid(violations: FieldViolation[], message = "Some fields are not valid"): AppError {
  return new AppError({ kind: "invalid", code: "VALIDATION_FAILED", message, violations });
}

/**
 * The workspace has no such thing: `notFound("work order")`. `field` names the reference when the id was in a body.
 */
export function notFound(thing = "record", field?: string): AppError {
  const message = `There is no such ${thing}.`;
  const violations = field === undefined ? [] : [{ field, message }];
  return new AppError({ kind: "not_found", code: "NOT_FOUND", message, violations });
}

/** The value, which exists. @throws AppError NOT_FOUND, see notFound */
export function requireFound<T>(value: T | undefined, thing?: string, field?: string): T {
  if (value === undefined) throw notFound(thing, field);
  return value;
}

/** A conditional save found that another change of the record came first: CONFLICT. */
export function changedMeanwhile(thing: string): AppError {
  return conflict("CONFLICT", `The ${thing} was changed at the same time. Read it again and retry.`);
}

/** The state of the record forbids it now; `code` says which rule. */
export function conflict(code: string, message: string): AppError {
  return new AppError({ kind: "conflict", code, message });
}

/** A known caller that may not do this. */
export function forbidden(message = "You may not do this"): AppError {
  return new AppError({ kind: "forbidden", code: "FORBIDDEN", message });
}

/** No credential, or not a valid one. */
export function unauthenticated(
  message = "A valid credential is needed",
  code = "UNAUTHENTICATED",
): AppError {
  return new AppError({ kind: "unauthenticated", code, message });
}

/** Something we depend on does not answer; worth trying again after `retryAfterMs`. */
export function unavailable(
  message = "The service is not available right now",
  retryAfterMs = 1000,
  cause?: unknown,
): AppError {
  return new AppError({ kind: "unavailable", code: "UNAVAILABLE", message, retryAfterMs, cause });
}

/** The record has changed since the caller read it (If-Match, rev). */
export function precondition(message = "The record has changed since it was read"): AppError {
  return new AppError({ kind: "precondition", code: "PRECONDITION_FAILED", message });
}

/**
 * Refuses to change a record that is at none of the revs at which its caller read it (If-Match). None given
 * is no condition; revs count from 1, so 0 is one that never holds. Called in the transaction that saves.
 *
 * @throws AppError PRECONDITION_FAILED
 */
export function requireRev(rev: number, ifRevIn: readonly number[] = []): void {
  if (ifRevIn.length > 0 && !ifRevIn.includes(rev)) throw precondition();
}

/** A limit or quota is used up until `retryAfterMs` from now. */
export function exhausted(message: string, retryAfterMs: number): AppError {
  return new AppError({ kind: "exhausted", code: "RATE_LIMITED", message, retryAfterMs });
}

/** Passes an AppError through and makes anything else an internal one whose text shows nothing of its cause. */
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
