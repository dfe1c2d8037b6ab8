import { exhausted, unavailable } from "@asset-register/runtime";
import type { Caller } from "../credentials.ts";
import { createShares } from "../shares.ts";

/** Of one gateway process. A request that waits counts like a stream. */
const OF_SESSION = 5;
const OF_KEY = 20;
const OF_WORKSPACE = 200;
/** Nobody knows when one of the others will end. */
const RETRY_AFTER_MS = 5_000;

const ALL = "all";
const TOO_MANY =
  "Too many streams of events are open, or requests wait for events, with this credential or in this workspace. Close some, or retry after the time in the Retry-After header.";
const FULL = "Too many streams of events are open. Retry after the time in the Retry-After header.";

/**
 * Counts streams and waits. The function that it returns takes a place for one of a caller, and returns the function
 * that frees it.
 *
 * @throws AppError RATE_LIMITED; UNAVAILABLE when those of the process are used up
 */
export function createFeedLimits(maxStreams: number): (principal: Caller["principal"]) => () => void {
  const shares = createShares();
  return (principal) => {
    const wanted = [
      { key: ALL, max: maxStreams },
      principal.kind === "user"
        ? { key: principal.sessionId, max: OF_SESSION }
        : { key: principal.id, max: OF_KEY },
      { key: principal.workspaceId, max: OF_WORKSPACE },
    ];
    const release = shares.take(wanted);
    if (release !== undefined) return release;
    throw shares.usedUp(wanted)?.key === ALL
      ? unavailable(FULL, RETRY_AFTER_MS)
      : exhausted(TOO_MANY, RETRY_AFTER_MS);
  };
}
