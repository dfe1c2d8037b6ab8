import { isContentFailure } from "@asset-register/mongo";

/** An event that cannot be processed because of its content. Every retry would fail as well. */
export class PoisonError extends Error {
  override readonly name = "PoisonError";
}

/**
 * Whether the content of the event caused the failure. Such an event goes to
 * the dead letters. Every other failure (an unavailable server or service, a
 * bug) is retried without end: an event may only become a dead letter if a
 * retry would fail again.
 */
export function isPoison(error: unknown): boolean {
  return error instanceof PoisonError || isContentFailure(error);
}
