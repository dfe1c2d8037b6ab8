/** Reads a page of one list; pages count from 1. */
export type PageSource<T> = (page: number, limit: number) => Promise<{ items: T[]; total: number }>;

/**
 * Reads a page of several lists as if they were one list, in order. It reads at most two pages of each list:
 * two when the page starts within a page of that list.
 */
export async function concatenated<T>(
  sources: PageSource<T>[],
  page: number,
  limit: number,
): Promise<{ items: T[]; total: number }> {
  const items: T[] = [];
  let total = 0;
  for (const source of sources) {
    const start = Math.max(0, (page - 1) * limit - total);
    const first = Math.floor(start / limit) + 1;
    const here = await source(first, limit);
    const wanted = limit - items.length;
    const skip = start % limit;
    items.push(...here.items.slice(skip, skip + wanted));
    if (items.length < limit && skip > 0 && here.total > first * limit) {
      const next = await source(first + 1, limit);
      items.push(...next.items.slice(0, limit - items.length));
    }
    total += here.total;
  }
  return { items, total };
}
