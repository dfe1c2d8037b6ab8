/** A read of a tag that is not stored. */
type NewTagRead = { readerId: string; epc: string; receivedAt: number };

/** What a limit says about the reads of a batch. */
export type NewTagVerdict<R> = {
  /** Reads beyond the limit of their reader. */
  refused: Set<R>;
  /** Counts the new tags of the batch. It is called after the commit: until then a batch may be judged again. */
  commit(): void;
};

export type NewTagLimit = {
  /** `share`: how many new tags of a reader an hour has room for in this partition. */
  judge<R extends NewTagRead>(
    partition: number,
    reads: readonly R[],
    share: (read: R) => number,
  ): NewTagVerdict<R>;
};

const HOUR_MS = 3_600_000;

type Hour = { hour: number; counts: Map<string, number> };

/**
 * Limits the new unknown tags of each reader in an hour, in each partition by itself: a badly tuned reader must not fill
 * the database with codes that do not exist. The counts are in memory. So a worker that takes a partition over begins a
 * new hour, which admits at most as many again. The hour is that of the receipt, and never goes back.
 */
export function createNewTagLimit(): NewTagLimit {
  const hours = new Map<number, Hour>();
  return {
    judge(partition, reads, share) {
      const held = hours.get(partition);
      const newest = reads.reduce(
        (most, { receivedAt }) => Math.max(most, Math.floor(receivedAt / HOUR_MS)),
        0,
      );
      const present: Hour =
        held !== undefined && held.hour >= newest ? held : { hour: newest, counts: new Map() };
      const counts = new Map<string, number>();
      const admitted = new Set<string>();
      const refused = new Set<(typeof reads)[number]>();
      for (const read of reads) {
        const { readerId, epc } = read;
        if (admitted.has(epc)) continue;
        const count = counts.get(readerId) ?? present.counts.get(readerId) ?? 0;
        if (count >= share(read)) {
          refused.add(read);
          continue;
        }
        admitted.add(epc);
        counts.set(readerId, count + 1);
      }
      return {
        refused,
        commit() {
          for (const [readerId, count] of counts) present.counts.set(readerId, count);
          if (counts.size > 0) hours.set(partition, present);
        },
      };
    },
  };
}

/** The part of a limit that each of some partitions has. Rounded up, so that a small limit leaves room in each. */
export function shareOf(limit: number, partitions: number): number {
  return Math.ceil(limit / Math.max(1, partitions));
}
