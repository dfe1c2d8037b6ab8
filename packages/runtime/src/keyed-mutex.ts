/** Runs the functions of a key one after the other, in the order of the calls. Those of other keys run meanwhile. */
export type KeyedMutex = <T>(key: string, run: () => Promise<T>) => Promise<T>;

/** Creates a mutex for this process. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const before = last.get(key);
    // The failure of one call is no concern of the next one.
    const mine = (before ?? Promise.resolve()).then(run, run);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
