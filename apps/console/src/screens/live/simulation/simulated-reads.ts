export const LENGTH_MS = 5 * 60_000;
/** At the end the reader is heard without reads, until all tags have left: 30 s, and some time to process it. */
export const LEAVING_MS = 45_000;
/** A tag is read for so long in each period. In the rest of it, it has the time to leave. */
const STAY_MS = 45_000;
const PERIOD_MS = 120_000;

/** The tags that the reader sees this long after its start. They come one after the other, go, and come again. */
export function readsAt<T>(tags: readonly T[], elapsedMs: number): T[] {
  if (elapsedMs >= LENGTH_MS - LEAVING_MS) return [];
  return tags.filter((_, index) => {
    const since = elapsedMs - (index * PERIOD_MS) / tags.length;
    return since >= 0 && since % PERIOD_MS < STAY_MS;
  });
}
