import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { expiryDay } from "../../domain/presence/retention.ts";

type SequenceDocument = TenantDocument & { sequence: number; expiresAt: Date };

/** A subject whose sightings are counted. */
type Counted = { workspaceId: string; subject: string };

/**
 * Counts the sightings of each asset, or of each unknown tag by its code: the sequence of their events. An asset may
 * have several tags, whose reads are in several partitions. This is the hot path of reads, in a native collection
 * across workspaces.
 */
export function createSightingSequences(mongo: Mongo, { retentionDays }: { retentionDays: number }) {
  const sequences = systemCollection<SequenceDocument>(mongo, "sighting_sequences");
  return {
    /**
     * The next number of each, in order, in the caller's transaction. When another transaction counts the same subject,
     * one of the two is retried. New counters are one insert, and most others one update, since they grow by one.
     */
    async next(counted: readonly Counted[], now: Date, session: ClientSession): Promise<number[]> {
      if (counted.length === 0) return [];
      const keys = counted.map(keyOf);
      const amounts = new Map<string, { workspaceId: string; by: number }>();
      for (const [at, key] of keys.entries()) {
        const by = (amounts.get(key)?.by ?? 0) + 1;
        amounts.set(key, { workspaceId: counted[at]?.workspaceId ?? "", by });
      }
      const stored = await sequences
        .find(
          { _id: { $in: [...amounts.keys()] } },
          { session, projection: { sequence: 1 }, batchSize: 10_000 },
        )
        .toArray();
      const next = new Map(stored.map(({ _id, sequence }) => [_id, sequence]));
      const expiresAt = expiryDay(now, retentionDays);
      const [known, fresh] = [
        [...amounts].filter(([key]) => next.has(key)),
        [...amounts].filter(([key]) => !next.has(key)),
      ];
      if (fresh.length > 0) {
        await sequences.insertMany(
          fresh.map(([_id, { workspaceId, by }]) => ({ _id, workspaceId, sequence: by, expiresAt })),
          { session, ordered: false },
        );
      }
      for (const [by, same] of Map.groupBy(known, ([, amount]) => amount.by)) {
        const change = { $inc: { sequence: by }, $set: { expiresAt } };
        await sequences.updateMany({ _id: { $in: same.map(([key]) => key) } }, change, { session });
      }
      return keys.map((key) => {
        const sequence = (next.get(key) ?? 0) + 1;
        next.set(key, sequence);
        return sequence;
      });
    },
  };
}

function keyOf({ workspaceId, subject }: Counted): string {
  return `${workspaceId}:${subject}`;
}
