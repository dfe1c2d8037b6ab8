import { isContentFailure } from "@asset-register/mongo";

/** An event that can't be processed because of what it contains, however often it is tried. */
export class PoisonError extends Error {
  override readonly name = "PoisonError";
}

/**
 * True when the event is to blame, so that it goes to the dead letters. All
 * else (a server or service away, a bug) is tried again for ever: a dead letter
 * is a promise that a repeat would fail again.
 */
export function isPoison(error: unknown): boolean {
  return error instanceof PoisonError || isContentFailure(error);
}
