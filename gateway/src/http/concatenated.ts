/** One list that can be read a page at a time. */
export type PageSource<T> = (page: number, limit: number) => Promise<{ items: T[]; total: number }>;

/**
 * A page of several lists that stand one after the other. A page that crosses
 * from one list into the next reads at most two pages of each.
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
