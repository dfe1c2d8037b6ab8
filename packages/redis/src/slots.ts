import type { RedisClient } from "./create-redis.ts";

/**
 * Groups items whose keys one command may name: on a cluster those with the same hash tag, the part of the key in braces.
 * Elsewhere one command may name all keys, so there is one group.
 */
export function bySlot<T>(
  { isCluster }: Pick<RedisClient, "isCluster">,
  items: readonly T[],
  tagOf: (item: T) => string,
): (readonly T[])[] {
  if (!isCluster) return items.length === 0 ? [] : [items];
  return [...Map.groupBy(items, tagOf).values()];
}

/**
 * Calls `work` with each group of bySlot. Returns the results in the order of the items.
 * @throws Error when a call of `work` fails
 */
export async function mapBySlot<T, R>(
  redis: Pick<RedisClient, "isCluster">,
  items: readonly T[],
  tagOf: (item: T) => string,
  work: (group: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly (R | undefined)[]> {
  if (!redis.isCluster) return work(items);
  const results: (R | undefined)[] = new Array(items.length);
  const groups = bySlot(redis, [...items.entries()], ([, item]) => tagOf(item));
  await Promise.all(
    groups.map(async (group) => {
      const answers = await work(group.map(([, item]) => item));
      for (const [at, [index]] of group.entries()) results[index] = answers[at];
    }),
  );
  return results;
}

/** The values of keys that have no hash tag in common. */
export async function getAll(
  redis: Pick<RedisClient, "isCluster" | "get" | "mget">,
  keys: readonly string[],
): Promise<(string | null)[]> {
  return redis.isCluster ? Promise.all(keys.map((key) => redis.get(key))) : redis.mget(...keys);
}
