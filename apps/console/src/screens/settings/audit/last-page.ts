/** A page of the entries from `from` until before `to`. */
export type Place = { from?: string; to: string; page: number };

/** How many entries there are from `from` until before `to`. */
export type Count = (span: Omit<Place, "page">) => Promise<{ total: number; total_is_exact?: boolean }>;

export const PER_PAGE = 50;

const HOUR_MS = 3_600_000;
/** Tried one after the other until the total of the span is exact: totals end at 100,000. */
const spans = [undefined, 30 * 24 * HOUR_MS, 24 * HOUR_MS, HOUR_MS] as const;

/** The last page before `to`. Spans without entries are left out. */
export async function lastPage(count: Count, to: string): Promise<Place> {
  for (const ms of spans) {
    const span = { to, ...(ms && { from: new Date(new Date(to).getTime() - ms).toISOString() }) };
    const { total, total_is_exact } = await count(span);
    // More than 100,000 in an hour: the first 100,000 of them are all that can be read.
    if (total_is_exact === false && ms !== HOUR_MS) continue;
    if (total === 0 && span.from !== undefined) return lastPage(count, span.from);
    return { ...span, page: Math.max(1, Math.ceil(total / PER_PAGE)) };
  }
  return { to, page: 1 };
}

/** The page with the entries before those of `place`. Undefined if there are none. */
export async function pageBefore(count: Count, place: Place): Promise<Place | undefined> {
  if (place.page > 1) return { ...place, page: place.page - 1 };
  return place.from === undefined ? undefined : lastPage(count, place.from);
}
