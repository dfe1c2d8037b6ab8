import type { ClientSession } from "@asset-register/mongo";
import type { NewFeedEntry } from "../domain/feed-entry.ts";

/** Gives entries in the transaction that adds them. Their feed is locked then. */
export type MakeEntries = (session: ClientSession) => Promise<readonly NewFeedEntry[]>;

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
  write(workspaceId: string, additions: readonly Addition[]): Promise<void>;
  /** Whether the content of an addition caused the error. */
  isContentFailure(error: unknown): boolean;
  /** Entries of a transaction. */
  maxEntries?: number;
  /** Transactions of the process at the same time. The more workspaces wait for one, the larger they become. */
  maxInFlight?: number;
};

/**
 * Gathers what the handlers of all partitions add. A workspace has one transaction in flight: others would only conflict
 * with it. What arrives meanwhile goes together into the next one.
 */
export function createFeedQueue(options: Options): FeedQueue {
  const { write, isContentFailure, maxEntries = 500, maxInFlight = 8 } = options;
  const waiting = new Map<string, Waiting[]>();
  /** Workspaces that wait for a transaction, in their turn. */
  const ready = new Set<string>();
  const running = new Map<string, Promise<void>>();

  function take(workspaceId: string): Waiting[] {
    const own = (waiting.get(workspaceId) ?? []).filter(({ signal }) => !signal?.aborted);
    let size = 0;
    const over = own.findIndex((one, index) => {
      size += one.size;
      return index > 0 && size > maxEntries;
    });
    const count = over < 0 ? own.length : over;
    if (count === own.length) waiting.delete(workspaceId);
    else waiting.set(workspaceId, own.slice(count));
    return own.slice(0, count);
  }

  async function commit(workspaceId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      await write(workspaceId, batch);
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // One addition must not make the others fail by their content: they would become dead letters.
      if (batch.length > 1 && isContentFailure(error)) {
        for (const one of batch) await commit(workspaceId, [one]);
        return;
      }
      for (const { reject } of batch) reject(error);
    }
  }

  function next(): void {
    for (const workspaceId of ready) {
      if (running.size >= maxInFlight) return;
      ready.delete(workspaceId);
      const batch = take(workspaceId);
      if (batch.length === 0) continue;
      const run = commit(workspaceId, batch).finally(() => {
        running.delete(workspaceId);
        if (waiting.has(workspaceId)) ready.add(workspaceId);
        next();
      });
      running.set(workspaceId, run);
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
      if (!running.has(workspaceId)) ready.add(workspaceId);
      // After this turn of the event loop, with what other handlers add in it.
      setImmediate(next);
      try {
        await promise;
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },

    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
