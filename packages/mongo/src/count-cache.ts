/** Caches counts for a short time. Concurrent callers of the same count share its query. */
export type CountCache = {
  count(key: string, maxAgeMs: number, query: () => Promise<number>): Promise<number>;
};

type Entry = { at: number; value: Promise<number> };

/** Creates a cache of at most `capacity` counts. When it is full, it removes the oldest. */
export function createCountCache(capacity = 1_000, now: () => number = () => performance.now()): CountCache {
  const entries = new Map<string, Entry>();

  function forget(key: string, entry: Entry): void {
    if (entries.get(key) === entry) entries.delete(key);
  }

  return {
    async count(key, maxAgeMs, query) {
      const known = entries.get(key);
      if (known !== undefined && now() - known.at < maxAgeMs) return known.value;
      const entry: Entry = { at: now(), value: query() };
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
