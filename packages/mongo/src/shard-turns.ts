/**
 * Returns a function that names one of the rows 0 to `count - 1`, for writes of which each may take any. In turn, concurrent
 * writes of a process rarely take the same; the order is random, so that those of several processes rarely do.
 */
export function createShardTurns(count: number): () => number {
  let left: number[] = [];
  return () => {
    if (left.length === 0) left = Array.from({ length: count }, (_, shard) => shard);
    const [shard = 0] = left.splice(Math.floor(Math.random() * left.length), 1);
    return shard;
  };
}
