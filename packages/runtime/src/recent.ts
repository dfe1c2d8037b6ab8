/** A map of limited size that removes entries which were not used recently. */
export type Recent<V> = {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
};

/**
 * Creates the map with two generations. When the young generation is full, it replaces the old one. An access costs
 * one or two map look-ups, and the map has at most 2 x `size` entries.
 */
export function createRecent<V>(size: number): Recent<V> {
  let young = new Map<string, V>();
  let old = new Map<string, V>();

  function set(key: string, value: V): void {
    if (young.size >= size) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    set,
    get: (key) => {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    delete: (key) => {
      young.delete(key);
      old.delete(key);
    },
  };
}
