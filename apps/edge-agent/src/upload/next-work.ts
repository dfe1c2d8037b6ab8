import type { PendingBatch } from "../buffer/batch-rows.ts";
import type { Waiting } from "../buffer/buffer-types.ts";
import { LIVE_MS } from "../buffer/live-boundary.ts";

/** What to send for a reader. */
export type Work =
  | { kind: "send"; batch: PendingBatch; live: boolean }
  /** Make a batch of rows first. */
  | { kind: "form"; live: boolean };

/** A further live batch may be made while one waits to be sent again, so that an outage does not delay the newest reads. */
const MOST_PENDING = 2;

/**
 * Live work first. Live reads wait for one window, so that their repeats can be put together. `pending`: batches of this
 * reader that are not answered, the oldest first.
 */
export function nextWork(
  pending: readonly PendingBatch[],
  waiting: Waiting,
  { now, windowMs }: { now: number; windowMs: number },
): Work | undefined {
  const isLive = ({ live, formed }: PendingBatch): boolean => live && formed > 0 && now - formed < LIVE_MS;
  const fresh = pending.find(isLive);
  if (fresh !== undefined) return { kind: "send", batch: fresh, live: true };
  const isDue = waiting.liveSince !== undefined && now - waiting.liveSince >= windowMs;
  if (isDue && pending.length < MOST_PENDING) return { kind: "form", live: true };
  const [oldest] = pending;
  if (oldest !== undefined) return { kind: "send", batch: oldest, live: false };
  return waiting.backlog ? { kind: "form", live: false } : undefined;
}
