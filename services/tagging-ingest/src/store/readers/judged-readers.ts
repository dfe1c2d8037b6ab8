import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { JudgedHealth } from "../../domain/readers/judged-health.ts";
import { type Liveness, nextSequence } from "./reader-liveness.ts";
import type { ReaderDocument } from "./readers.ts";

/** The fields of a reader that its health is judged by. */
const judgedFields = {
  workspaceId: 1,
  kind: 1,
  zoneId: 1,
  locationId: 1,
  antennas: 1,
  createdAt: 1,
  lastSeenAt: 1,
  clockSkewMs: 1,
  minutes: 1,
  readCounts: 1,
  referenceEpcs: 1,
  referencesSince: 1,
  health: 1,
} as const;

export type JudgedReader = Pick<ReaderDocument, "_id" | Exclude<keyof typeof judgedFields, OftenAbsent>> &
  Partial<Pick<ReaderDocument, OftenAbsent>>;

type OftenAbsent = "minutes" | "readCounts";

/** The readers whose health is judged. */
export function createJudgedReaders(mongo: Mongo) {
  const readers = mongo.collection<ReaderDocument>("readers");
  const all = systemCollection<ReaderDocument>(mongo, "readers");
  return {
    /** The workspaces with readers that were heard. */
    listWorkspaces: (): Promise<string[]> =>
      all.distinct("workspaceId", { status: "active", lastSeenAt: { $exists: true } }),

    /** The active readers of a workspace that were heard, ever. */
    list: (workspaceId: string): Promise<JudgedReader[]> =>
      readers
        .find(
          { workspaceId, status: "active", lastSeenAt: { $exists: true } },
          { projection: judgedFields, batchSize: 10_000 },
        )
        .toArray(),

    /** Saves the health of readers of a workspace. Returns the liveness to publish, without that of revoked readers. */
    async save(
      workspaceId: string,
      judged: ReadonlyMap<string, JudgedHealth>,
      session: ClientSession,
    ): Promise<Liveness[]> {
      const filter = { workspaceId, _id: { $in: [...judged.keys()] }, status: "active" as const };
      const projection = { lastSeenAt: 1, publishedAt: 1, livenessSequence: 1 };
      const rows = await readers.find(filter, { session, projection }).toArray();
      const changed = rows.flatMap(({ _id: readerId, lastSeenAt: at, ...published }): Liveness[] => {
        if (at === undefined) return [];
        const sequence = nextSequence(at, published);
        return [{ workspaceId, readerId, at, sequence, health: judged.get(readerId) }];
      });
      if (changed.length === 0) return [];
      await readers.bulkWrite(
        changed.map(({ readerId, sequence, health }) => ({
          updateOne: {
            filter: { workspaceId, _id: readerId },
            update: { $set: { health, livenessSequence: sequence } },
          },
        })),
        { session, ordered: false },
      );
      return changed;
    },
  };
}
