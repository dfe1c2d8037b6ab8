/** The events of a chunk should take less than this: a slot, a rebalance and a stop wait for it. */
const LONG_MS = 1_000;
const SHORT_MS = 250;

/**
 * The number of events in the next call of a handler. It adapts to how long the events take, and not to what each call takes
 * whatever its size: smaller chunks would only make a slow database slower. After a failure it is 1: then the first
 * unhandled event is the one that fails, and not one of those behind it.
 */
export function createChunkSize(max: number) {
  let size = max;
  /** What a call takes without further events, as calls with one event show it. */
  let callMs = 0;
  return {
    get: () => size,
    /** Adapts to a call that handled so many events in this time. */
    succeeded(events: number, ms: number): void {
      callMs = events === 1 ? ms : Math.min(callMs, ms);
      const eventsMs = ms - callMs;
      if (eventsMs > LONG_MS) size = Math.max(1, Math.floor(Math.min(size, events) / 2));
      else if (eventsMs < SHORT_MS && events >= size) size = Math.min(max, size * 2);
    },
    failed(): void {
      size = 1;
    },
  };
}

export type ChunkSize = ReturnType<typeof createChunkSize>;
