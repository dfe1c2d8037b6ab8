import { AppError, type ErrorKind } from "@asset-register/runtime";

/** Errors that the content of the record or event causes. A refused credential is an error of the settings. */
const kinds: ReadonlySet<ErrorKind> = new Set(["invalid", "conflict", "not_found", "precondition"]);

/** Codes of the server: document validation, document too large (insert, update), document nested too deeply. */
const codes: ReadonlySet<unknown> = new Set([121, 10334, 17419, 17420, 15]);

/**
 * Whether the content of the processed record or event caused the failure, so that every retry would fail
 * again. Other failures (an unavailable server or service, a bug) end without help or with the next release.
 */
export function isContentFailure(error: unknown): boolean {
  // IDEMPOTENCY_IN_PROGRESS is a temporary conflict: an earlier call with the same key has not ended yet.
  if (error instanceof AppError) return kinds.has(error.kind) && error.code !== "IDEMPOTENCY_IN_PROGRESS";
  return error instanceof Error && "code" in error && codes.has(error.code);
}
