/** The events of a chunk should take less than this: a slot, a rebalance and a stop wait for it. */
const LONG_MS = 1_000;
const SHORT_MS = 250;
/** After so many long calls, one with a single event shows again what a call takes. */
const LONG_CALLS = 5;

/**
 * The number of events in the next call of a handler. It adapts to how long the events take, and not to what each call
 * takes whatever its size: smaller chunks would only make a slow database slower. After a failure it is 1: then the first
 * unhandled event is the one that fails, and not one of those behind it.
 */
export function createChunkSize(max: number) {
  let size = max;
  /** What a call takes without further events. Undefined until a call was given one event. */
  let callMs: number | undefined;
  let longCalls = 0;
  return {
    get: () => (longCalls >= LONG_CALLS ? 1 : size),
    /** Adapts to a call that was given some events, and handled `done` of them in this time. */
    succeeded(given: number, done: number, ms: number): void {
      if (given === 1) callMs = ms;
      else if (callMs !== undefined) callMs = Math.min(callMs, ms);
      if (given === 1 || ms <= LONG_MS) longCalls = 0;
      else longCalls += callMs === undefined ? LONG_CALLS : 1;
      const eventsMs = ms - (callMs ?? ms);
      if (eventsMs > LONG_MS) size = Math.max(1, Math.floor(Math.min(size, done) / 2));
      else if (eventsMs < SHORT_MS && done >= size) size = Math.min(max, size * 2);
    },
    failed(): void {
      size = 1;
    },
  };
}

export type ChunkSize = ReturnType<typeof createChunkSize>;
