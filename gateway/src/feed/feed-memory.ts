import type { FeedItem, FeedPlace } from "./feed-item.ts";

/** The newest entries of a workspace's feed, without gaps. */
export type FeedMemory = {
  /** The place after the newest entry. */
  newest(): FeedPlace;
  /** The place before the oldest entry. */
  oldest(): FeedPlace;
  size(): number;
  at(index: number): FeedItem | undefined;
  /**
   * The index of the first entry after a place; `size()` when there is none yet. Undefined when the memory does not
   * reach back to the place, or has another entry there.
   */
  indexAfter(place: FeedPlace): number | undefined;
  /** Adds the entries that follow the newest one. */
  add(items: readonly FeedItem[]): void;
  /** Forgets the oldest entries beyond the limits. */
  trim(): void;
};

const MAX_ITEMS = 1_000;
const MAX_BYTES = 1_048_576;

/** Creates a memory that begins at a place. */
export function createFeedMemory(
  { seq, cursor }: FeedPlace,
  { maxItems = MAX_ITEMS, maxBytes = MAX_BYTES } = {},
): FeedMemory {
  /** The place before the first entry. */
  let base: FeedPlace = { seq, cursor };
  let items: FeedItem[] = [];
  let bytes = 0;
  const newest = (): FeedPlace => items.at(-1) ?? base;

  return {
    newest,
    oldest: () => base,
    size: () => items.length,
    at: (index) => items[index],
    indexAfter(place) {
      // A page may be newer than what was read here so far. Its entry is compared when it comes.
      if (place.seq > newest().seq) return items.length;
      const known = place.seq === base.seq ? base : items[place.seq - base.seq - 1];
      return known?.cursor === place.cursor ? place.seq - base.seq : undefined;
    },
    add(more) {
      for (const item of more) {
        if (item.seq !== newest().seq + 1) throw new Error(`Entry ${item.seq} follows ${newest().seq}`);
        items.push(item);
        bytes += item.frame.length;
      }
    },
    trim() {
      let count = 0;
      for (const item of items) {
        if (items.length - count <= maxItems && bytes <= maxBytes) break;
        base = { seq: item.seq, cursor: item.cursor };
        bytes -= item.frame.length;
        count += 1;
      }
      if (count > 0) items = items.slice(count);
    },
  };
}
