import { AppError, type ErrorKind } from "@asset-register/runtime";

/** An event that can't be processed because of what it contains, however often it is tried. */
export class PoisonError extends Error {
  override readonly name = "PoisonError";
}

/** Of an operation's refusals, those that the event's content causes. A refused credential is a fault of settings. */
const CONTENT_KINDS: ReadonlySet<ErrorKind> = new Set(["invalid", "conflict", "not_found", "precondition"]);

/** MongoDB: document validation, document too large (on insert, on update), too deep. */
const CONTENT_CODES: ReadonlySet<unknown> = new Set([121, 10334, 17419, 17420, 15]);

/**
 * True when the event is to blame, so that it goes to the dead letters. All
 * else (a server or service away, a bug) is tried again for ever: a dead letter
 * is a promise that a repeat would fail again.
 */
export function isContentFailure(error: unknown): boolean {
  if (error instanceof PoisonError) return true;
  // A conflict that passes: the same call, made before, has not ended yet.
  if (error instanceof AppError)
    return CONTENT_KINDS.has(error.kind) && error.code !== "IDEMPOTENCY_IN_PROGRESS";
  return error instanceof Error && "code" in error && CONTENT_CODES.has(error.code);
}
