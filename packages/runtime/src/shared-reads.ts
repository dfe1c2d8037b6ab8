import { runShared } from "./deadline.ts";

/**
 * Makes concurrent reads of a key share one. A read begins after each of its callers has asked, so it finds what was written
 * before. While one of a key runs, later callers wait for its end and share the next. Do not change a result.
 */
export function createSharedReads<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<T>>();

  async function readAfter(before: Promise<unknown>, key: string): Promise<T> {
    await before;
    next.delete(key);
    const own = runShared(() => read(key));
    const end = own.catch(() => undefined);
    running.set(key, end);
    try {
      return await own;
    } finally {
      if (running.get(key) === end) running.delete(key);
    }
  }

  return (key) => {
    const known = next.get(key);
    if (known !== undefined) return known;
    const shared = readAfter(running.get(key) ?? endOfTurn(), key);
    next.set(key, shared);
    return shared;
  };
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
