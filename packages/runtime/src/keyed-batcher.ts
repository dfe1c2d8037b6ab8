import { type Batcher, type BatcherOptions, createBatcher } from "./batcher.ts";

type Options<T, R> = Omit<BatcherOptions<T, R>, "send"> & {
  /** Returns one result for each item, in order. When it fails, all items of the call fail. */
  send: (key: string, items: T[]) => Promise<R[]>;
};

/**
 * A batcher for each key, for example for each workspace: what fails or takes long for one delays no other. It exists as long
 * as it has items.
 */
export function createKeyedBatcher<T, R>({
  send,
  ...options
}: Options<T, R>): {
  add(key: string, item: T): Promise<R>;
} {
  const batchers = new Map<string, { batcher: Batcher<T, R>; items: number }>();

  function batcherOf(key: string) {
    const known = batchers.get(key);
    if (known) return known;
    const made = {
      batcher: createBatcher<T, R>({ ...options, send: (items) => send(key, items) }),
      items: 0,
    };
    batchers.set(key, made);
    return made;
  }

  return {
    async add(key, item) {
      const own = batcherOf(key);
      own.items += 1;
      try {
        return await own.batcher.add(item);
      } finally {
        own.items -= 1;
        if (own.items === 0) batchers.delete(key);
      }
    },
  };
}
