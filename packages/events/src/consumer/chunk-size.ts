/** A chunk should take less than this: a slot, a rebalance and a stop wait for it. */
const LONG_MS = 1_000;
const SHORT_MS = 250;

/**
 * The number of events in the next call of a handler. It adapts to the duration of the calls. After a failure it is 1:
 * then the first unhandled event is the one that fails, and not one of those behind it.
 */
export function createChunkSize(max: number) {
  let size = max;
  return {
    get: () => size,
    succeeded(ms: number): void {
      if (ms > LONG_MS) size = Math.max(1, Math.floor(size / 2));
      else if (ms < SHORT_MS) size = Math.min(max, size * 2);
    },
    failed(): void {
      size = 1;
    },
  };
}

export type ChunkSize = ReturnType<typeof createChunkSize>;
