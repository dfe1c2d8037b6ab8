/** The total of a list. It is too low where it is not exact. */
export type Total = { total: number; totalIsExact?: false | undefined };

/** Caches counts for a short time. Concurrent callers of the same count share its query. */
export type CountCache<T = number> = {
  /** `maxAgeMs` may depend on the count. While a count runs, all callers share it. */
  count(key: string, maxAgeMs: number | ((found: T) => number), query: () => Promise<T>): Promise<T>;
};

type Entry<T> = { at: number; value: Promise<T>; found?: T };

/** Creates a cache of at most `capacity` counts. When it is full, it removes the oldest. */
export function createCountCache<T = number>(
  capacity = 1_000,
  now: () => number = () => performance.now(),
): CountCache<T> {
  const entries = new Map<string, Entry<T>>();

  function forget(key: string, entry: Entry<T>): void {
    if (entries.get(key) === entry) entries.delete(key);
  }

  function isFresh(entry: Entry<T>, maxAgeMs: number | ((found: T) => number)): boolean {
    if (typeof maxAgeMs === "number") return now() - entry.at < maxAgeMs;
    return entry.found === undefined || now() - entry.at < maxAgeMs(entry.found);
  }

  return {
    async count(key, maxAgeMs, query) {
      const known = entries.get(key);
      if (known !== undefined && isFresh(known, maxAgeMs)) return known.value;
      const entry: Entry<T> = { at: now(), value: query() };
      entries.delete(key);
      entries.set(key, entry);
      const [oldest] = entries.keys();
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest);
      try {
        entry.found = await entry.value;
        return entry.found;
      } catch (error) {
        forget(key, entry);
        throw error;
      }
    },
  };
}
