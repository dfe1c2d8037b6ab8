/** Sends what many callers ask for in the same moment as one call. */
export type Batcher<T, R> = { add(item: T): Promise<R> };

type Waiting<T, R> = { item: T; resolve: (result: R) => void; reject: (error: unknown) => void };

/**
 * Items wait while `maxInFlight` calls are under way and then go together, so
 * that a call's cost is shared the more, the busier it gets; a lone item goes at
 * once.
 *
 * @param send answers one result an item, in order; its failure is everyone's
 */
export function createBatcher<T, R>({
  maxItems,
  maxInFlight,
  send,
}: {
  maxItems: number;
  maxInFlight: number;
  send: (items: T[]) => Promise<R[]>;
}): Batcher<T, R> {
  let waiting: Waiting<T, R>[] = [];
  let inFlight = 0;
  let scheduled = false;

  const flush = async (): Promise<void> => {
    scheduled = false;
    while (waiting.length > 0 && inFlight < maxInFlight) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
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
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      void flush();
    }
  };

  return {
    add: (item) =>
      new Promise<R>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (scheduled || inFlight >= maxInFlight) return;
        scheduled = true;
        // After this turn of the event loop: every request read from the sockets in it joins.
        setImmediate(() => void flush());
      }),
  };
}
