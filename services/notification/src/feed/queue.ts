import type { Additions, MakeEntries } from "../operations/feed/append-entries.ts";

type Addition = {
  make: MakeEntries;
  /** How many entries it makes, at most. */
  size: number;
  /** Aborted: it is not added any more, unless its transaction has begun. */
  signal?: AbortSignal | undefined;
};

export type FeedQueue = {
  /**
   * Adds entries to the feed of a workspace. Resolves when they are committed. Additions of a workspace are committed in
   * the order of their calls.
   *
   * @throws the error of the transaction, or the reason of the signal
   */
  add(workspaceId: string, addition: Addition): Promise<void>;
  /** Resolves when no transaction is running. */
  idle(): Promise<void>;
};

type Waiting = Addition & { resolve(): void; reject(error: unknown): void };

type Options = {
  /** Adds the entries of all in one transaction. */
  write(additions: readonly Additions[]): Promise<void>;
  isUnavailable(error: unknown): boolean;
  /** Entries of a transaction. */
  maxEntries?: number;
  /** Transactions of the process at the same time. The more wait for one, the larger they become. */
  maxInFlight?: number;
};

/**
 * Gathers what the handlers of all partitions add. A workspace has one transaction in flight: others would only conflict
 * with it. Later arrivals go into a later one, together with the entries of other workspaces.
 */
export function createFeedQueue(options: Options): FeedQueue {
  const { write, isUnavailable, maxEntries = 500, maxInFlight = 4 } = options;
  /** By workspace. Workspaces take turns: one that was served is the last again. */
  const waiting = new Map<string, Waiting[]>();
  const busy = new Set<string>();
  const running = new Set<Promise<void>>();

  /** The entries that fit into a transaction, by workspace. A single addition may be larger. */
  function take(): Map<string, Waiting[]> {
    const batch = new Map<string, Waiting[]>();
    let size = 0;
    for (const [workspaceId, all] of [...waiting]) {
      if (size >= maxEntries) break;
      if (busy.has(workspaceId)) continue;
      const own = all.filter(({ signal }) => !signal?.aborted);
      const over = own.findIndex((one) => {
        const fits = size === 0 || size + one.size <= maxEntries;
        if (fits) size += one.size;
        return !fits;
      });
      const taken = over < 0 ? own : own.slice(0, over);
      waiting.delete(workspaceId);
      if (taken.length < own.length) waiting.set(workspaceId, own.slice(taken.length));
      if (taken.length > 0) batch.set(workspaceId, taken);
    }
    return batch;
  }

  async function commit(batch: ReadonlyMap<string, readonly Waiting[]>): Promise<void> {
    const all = [...batch.values()].flat();
    try {
      await write(
        [...batch].map(([workspaceId, own]) => ({ workspaceId, makes: own.map(({ make }) => make) })),
      );
      for (const { resolve } of all) resolve();
    } catch (error) {
      // An addition that fails by itself must not make the others fail: they would become dead letters, or wait for it.
      if (all.length > 1 && !isUnavailable(error)) {
        for (const [workspaceId, own] of batch) {
          for (const one of own) await commit(new Map([[workspaceId, [one]]]));
        }
        return;
      }
      for (const { reject } of all) reject(error);
    }
  }

  function next(): void {
    while (running.size < maxInFlight) {
      const batch = take();
      if (batch.size === 0) return;
      for (const workspaceId of batch.keys()) busy.add(workspaceId);
      const run = commit(batch).finally(() => {
        running.delete(run);
        for (const workspaceId of batch.keys()) busy.delete(workspaceId);
        next();
      });
      running.add(run);
    }
  }

  return {
    async add(workspaceId, addition) {
      const { signal } = addition;
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const abort = (): void => reject(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const own = waiting.get(workspaceId) ?? [];
      own.push({ ...addition, resolve, reject });
      waiting.set(workspaceId, own);
      // After this turn of the event loop, with what is added in it.
      setImmediate(next);
      try {
        await promise;
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },

    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
