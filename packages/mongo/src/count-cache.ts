/** Caches counts for a short time. Concurrent callers of the same count share its query. */
export type CountCache<T = number> = {
  count(key: string, maxAgeMs: number, query: () => Promise<T>): Promise<T>;
};

type Entry<T> = { at: number; value: Promise<T> };

/** Creates a cache of at most `capacity` counts. When it is full, it removes the oldest. */
export function createCountCache<T = number>(
  capacity = 1_000,
  now: () => number = () => performance.now(),
): CountCache<T> {
  const entries = new Map<string, Entry<T>>();

  function forget(key: string, entry: Entry<T>): void {
    if (entries.get(key) === entry) entries.delete(key);
  }

  return {
    async count(key, maxAgeMs, query) {
      const known = entries.get(key);
      if (known !== undefined && now() - known.at < maxAgeMs) return known.value;
      const entry: Entry<T> = { at: now(), value: query() };
      entries.delete(key);
      entries.set(key, entry);
      const [oldest] = entries.keys();
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest);
      try {
        return await entry.value;
      } catch (error) {
        forget(key, entry);
        throw error;
      }
    },
  };
}
