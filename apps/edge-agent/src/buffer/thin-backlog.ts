import type { createReadRows, StoredRead } from "./read-rows.ts";

export type ReadRow = { id: number; read: StoredRead };

/** Puts repeats together. What is left has the ids of rows that were given. */
export type MergeRows = (rows: readonly ReadRow[]) => ReadRow[];

/** A step takes about 30 ms, in which nothing else happens. */
const ROWS_OF_STEP = 4_000;
/** Rewriting rows for less would only cost time. */
const WORTH = 0.8;

/**
 * Walks through the backlog of each reader and replaces rows by fewer. A portal reads a tag that stands in it many times a
 * second, so an outage needs a fraction of the room.
 */
export function createBacklogThinning(reads: ReturnType<typeof createReadRows>, firstOfBoot: number) {
  const thinnedUpTo = new Map<number, number>();
  return {
    /** Looks at the next rows up to this id. Returns how many rows fewer there are. */
    step(reader: number, upTo: number, merge: MergeRows): number {
      const range = { live: true, after: thinnedUpTo.get(reader) ?? 0, upTo };
      const found = reads.oldest(reader, range, ROWS_OF_STEP, firstOfBoot);
      const last = found.at(-1);
      if (last === undefined || found.length < ROWS_OF_STEP) return 0;
      thinnedUpTo.set(reader, last.id);
      const merged = merge(found);
      if (merged.length > found.length * WORTH) return 0;
      reads.remove(reader, { ...range, upTo: last.id });
      for (const { id, read } of merged) reads.insert(reader, id, read);
      return found.length - merged.length;
    },
  };
}
