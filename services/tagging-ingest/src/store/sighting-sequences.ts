import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";

type SequenceDocument = TenantDocument & { sequence: number };

/** A subject whose sightings are counted. */
type Counted = { workspaceId: string; subject: string };

/**
 * Counts the sightings of each asset, or of each unknown tag by its code: the sequence of their events. An asset may
 * have several tags, whose reads are in several partitions. This is the hot path of reads, in a native collection
 * across workspaces.
 */
export function createSightingSequences(mongo: Mongo) {
  const sequences = systemCollection<SequenceDocument>(mongo, "sighting_sequences");
  return {
    /** The next number of each, in order, in the caller's transaction. */
    async next(counted: readonly Counted[], session: ClientSession): Promise<number[]> {
      if (counted.length === 0) return [];
      const amounts = new Map<string, Counted & { by: number }>();
      for (const one of counted) {
        const held = amounts.get(keyOf(one));
        if (held === undefined) amounts.set(keyOf(one), { ...one, by: 1 });
        else held.by += 1;
      }
      await sequences.bulkWrite(
        [...amounts].map(([_id, { workspaceId, by }]) => ({
          updateOne: {
            filter: { _id, workspaceId },
            update: { $inc: { sequence: by } },
            upsert: true,
          },
        })),
        { session, ordered: false },
      );
      const found = await sequences.find({ _id: { $in: [...amounts.keys()] } }, { session }).toArray();
      const next = new Map(found.map(({ _id, sequence }) => [_id, sequence - (amounts.get(_id)?.by ?? 0)]));
      return counted.map((one) => {
        const sequence = (next.get(keyOf(one)) ?? 0) + 1;
        next.set(keyOf(one), sequence);
        return sequence;
      });
    },
  };
}

function keyOf({ workspaceId, subject }: Counted): string {
  return `${workspaceId}:${subject}`;
}
