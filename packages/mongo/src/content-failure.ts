import { AppError, type ErrorKind } from "@asset-register/runtime";

/** Refusals that the thing itself causes. A refused credential is a fault of settings. */
const kinds: ReadonlySet<ErrorKind> = new Set(["invalid", "conflict", "not_found", "precondition"]);

/** The server: document validation, document too large (on insert, on update), too deep. */
const codes: ReadonlySet<unknown> = new Set([121, 10334, 17419, 17420, 15]);

/**
 * Whether the thing that was worked on is to blame, so that every repeat would fail again. All else (a
 * server or service away, a bug) passes with time or with the next release.
 */
export function isContentFailure(error: unknown): boolean {
  // A conflict that passes: the same call, made before, has not ended yet.
  if (error instanceof AppError) return kinds.has(error.kind) && error.code !== "IDEMPOTENCY_IN_PROGRESS";
  return error instanceof Error && "code" in error && codes.has(error.code);
}
