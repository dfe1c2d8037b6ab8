import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { SlowClock } from "../../domain/ingest/slow-clock.ts";
import type { JudgedHealth } from "../../domain/readers/judged-health.ts";
import type { ReaderDocument } from "./readers.ts";

/** A reader that was heard at `at`. */
export type HeardReader = { workspaceId: string; readerId: string; at: Date };

/** Its liveness as it is published. `sequence` is higher than that of the event before. */
export type Liveness = HeardReader & { sequence: number; health?: JudgedHealth | undefined };

const MINUTE_MS = 60_000;

/** The beginning of the minute of `at`. */
function minuteOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
}

/**
 * The sequence of the next event of a reader that was heard at `at`: this time, and more than the event before, whose
 * sequence rows of earlier releases lack. A changed health has an event between two minutes, and replicas that flush in
 * turn may write an earlier time later.
 */
export function nextSequence(
  at: Date,
  { livenessSequence = 0, publishedAt }: Pick<Partial<ReaderDocument>, "livenessSequence" | "publishedAt">,
): number {
  return Math.max(at.getTime(), livenessSequence + 1, (publishedAt?.getTime() ?? 0) + 1);
}

/** Which liveness was published, of readers of all workspaces: a few queries for any number of readers. */
export function createReaderLiveness(mongo: Mongo) {
  const readers = systemCollection<ReaderDocument>(mongo, "readers");
  return {
    /**
     * The liveness of those of the readers whose minute was not published yet, by any replica. The caller marks them in the same
     * transaction. Two replicas that mark the same reader conflict, so one of them is retried and finds it marked.
     */
    async unpublished(heard: readonly HeardReader[], session: ClientSession): Promise<Liveness[]> {
      const unpublished: Liveness[] = [];
      for (const [minute, same] of Map.groupBy(heard, ({ at }) => minuteOf(at).getTime())) {
        const ids = same.map(({ readerId }) => readerId);
        const found = await readers
          .find(
            { _id: { $in: ids }, publishedAt: { $not: { $gte: new Date(minute) } } },
            {
              session,
              projection: { workspaceId: 1, publishedAt: 1, livenessSequence: 1, health: 1 },
              batchSize: 10_000,
            },
          )
          .toArray();
        const rows = new Map(found.map((row) => [row._id, row]));
        for (const one of same) {
          const row = rows.get(one.readerId);
          if (row?.workspaceId !== one.workspaceId) continue;
          unpublished.push({ ...one, sequence: nextSequence(one.at, row), health: row.health });
        }
      }
      return unpublished;
    },

    /** The estimates of the clocks of these readers. The caller writes them again in the same transaction. */
    async slowClocks(ids: readonly string[], session: ClientSession): Promise<Map<string, SlowClock>> {
      if (ids.length === 0) return new Map();
      const found = await readers
        .find({ _id: { $in: [...ids] } }, { session, projection: { slowClock: 1 }, batchSize: 10_000 })
        .toArray();
      return new Map(found.flatMap(({ _id, slowClock }) => (slowClock ? [[_id, slowClock]] : [])));
    },
  };
}
