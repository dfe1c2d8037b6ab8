type Offset = { partition: number; offset: string };

export type PartitionLag = { records: number; seconds: number };

/** With a look every 15 s, half of these reach back more than a day, since older ends are thinned out. */
const MOST_ENDS = 200;

/**
 * Remembers when the end of a partition was seen where. So the age of the oldest unhandled record is known without
 * reading it: it was written before the first end behind the handled records was seen. For a process that has just
 * started, the age begins at 0.
 */
export function createLagHistory(): (atMs: number, handled: bigint, end: bigint) => PartitionLag {
  let ends: { atMs: number; end: bigint }[] = [];
  return (atMs, handled, end) => {
    if (end !== ends.at(-1)?.end) ends.push({ atMs, end });
    const first = ends.findIndex((seen) => seen.end > handled);
    ends = first < 0 ? [] : ends.slice(first);
    if (ends.length > MOST_ENDS) ends = ends.filter((_, index) => index % 2 === 0);
    const [oldest] = ends;
    if (oldest === undefined) return { records: 0, seconds: 0 };
    return { records: Number(end - handled), seconds: Math.max(0, atMs - oldest.atMs) / 1_000 };
  };
}

/** The first record that a group has not handled. A partition without a commit is read from its oldest record. */
export const firstUnhandled = ({ offset }: Offset, low: string): bigint => {
  const [committed, oldest] = [BigInt(offset), BigInt(low)];
  return committed > oldest ? committed : oldest;
};
