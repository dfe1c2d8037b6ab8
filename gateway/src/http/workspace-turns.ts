import { exhausted } from "@asset-register/runtime";
import { createShares } from "../shares.ts";

/** Of one workspace. A body of 8 MiB takes up to half a second, and waits in memory. */
const MAX_WAITING = 8;
const RETRY_AFTER_MS = 1_000;
const TOO_MANY =
  "Too many large requests of this workspace are being read. Retry after the time in the Retry-After header.";

/**
 * Creates the function that runs the long computations of a workspace one after the other. With pauses in them
 * (`createPauses`), each workspace has an equal share of the process, however many large requests it sends.
 *
 * @throws AppError RATE_LIMITED when eight of the workspace run or wait
 */
export function createWorkspaceTurns(): <T>(workspaceId: string, compute: () => Promise<T>) => Promise<T> {
  const waiting = createShares();
  const last = new Map<string, Promise<unknown>>();
  return async (workspaceId, compute) => {
    const release = waiting.take([{ key: workspaceId, max: MAX_WAITING }]);
    if (release === undefined) throw exhausted(TOO_MANY, RETRY_AFTER_MS);
    const own = (last.get(workspaceId) ?? Promise.resolve()).then(compute, compute);
    last.set(workspaceId, own);
    try {
      return await own;
    } finally {
      release();
      if (last.get(workspaceId) === own) last.delete(workspaceId);
    }
  };
}
