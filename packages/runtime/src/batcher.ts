/** Sends items that many callers add at the same time in one call. */
export type Batcher<T, R> = { add(item: T): Promise<R> };

export type BatcherOptions<T, R> = {
  maxItems: number;
  /** Of all items of a call together, by `weigh`. A single item may weigh more. */
  maxWeight?: number;
  weigh?: (item: T) => number;
  maxInFlight: number;
  /** During a call, another one begins only with this many items; 1 by default. */
  worthwhile?: number;
  /** An item waits this long for others. Default: until the end of this turn of the event loop. */
  gatherMs?: number;
  /** Whether a call failed because the other side hangs. Then the waiting items fail too, instead of waiting as long. */
  hangs?: (error: unknown) => boolean;
  /** Returns one result for each item, in order. When it fails, all items of the call fail. */
  send: (items: T[]) => Promise<R[]>;
};

type Waiting<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

/**
 * Items wait while `maxInFlight` calls are running, or until they are worth another call. Then they go together. So
 * the busier it is, the more items share the cost of a call. A single item goes immediately.
 */
export function createBatcher<T, R>({
  maxItems,
  maxWeight = Number.POSITIVE_INFINITY,
  weigh = () => 1,
  maxInFlight,
  worthwhile = 1,
  gatherMs,
  hangs = () => false,
  send,
}: BatcherOptions<T, R>): Batcher<T, R> {
  let waiting: Waiting<T, R>[] = [];
  let inFlight = 0;
  let scheduled = false;

  const mayGo = (): boolean => inFlight < maxInFlight && waiting.length >= (inFlight === 0 ? 1 : worthwhile);

  /** How many of the waiting items fit into one call: at least one. */
  const fitting = (): number => {
    let weight = 0;
    const over = waiting.findIndex(({ item }, index) => {
      weight += weigh(item);
      return index >= maxItems || (index > 0 && weight > maxWeight);
    });
    return over === -1 ? waiting.length : over;
  };

  const flush = (): void => {
    scheduled = false;
    while (mayGo()) {
      const count = fitting();
      const batch = waiting.slice(0, count);
      waiting = waiting.slice(count);
      inFlight += 1;
      void dispatch(batch);
    }
  };

  const dispatch = async (batch: Waiting<T, R>[]): Promise<void> => {
    try {
      const results = await send(batch.map(({ item }) => item));
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error(`No result for item ${index} of ${batch.length}`));
        else resolve(result);
      });
    } catch (error) {
      const failed = hangs(error) ? [...batch, ...waiting.splice(0)] : batch;
      for (const { reject } of failed) reject(error);
    } finally {
      inFlight -= 1;
      flush();
    }
  };

  return {
    add: (item) =>
      new Promise<R>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (scheduled || !mayGo()) return;
        scheduled = true;
        // After this turn of the event loop, with all requests that are read from the sockets in it.
        if (gatherMs === undefined) setImmediate(flush);
        else setTimeout(flush, gatherMs);
      }),
  };
}
