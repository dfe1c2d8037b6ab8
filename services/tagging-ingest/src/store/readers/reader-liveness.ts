import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { SlowClock } from "../../domain/ingest/slow-clock.ts";
import type { ReaderDocument } from "./readers.ts";

/** A reader that was heard at `at`. */
export type HeardReader = { workspaceId: string; readerId: string; at: Date };

const MINUTE_MS = 60_000;

/** The beginning of the minute of `at`. */
function minuteOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
}

/** Which liveness was published, of readers of all workspaces: a few queries for any number of readers. */
export function createReaderLiveness(mongo: Mongo) {
  const readers = systemCollection<ReaderDocument>(mongo, "readers");
  return {
    /**
     * Those of the readers whose minute was not published yet, by any replica. The caller marks them in the same
     * transaction. Two replicas that mark the same reader conflict, so one of them is retried and finds it marked.
     */
    async unpublished(heard: readonly HeardReader[], session: ClientSession): Promise<HeardReader[]> {
      const unpublished: HeardReader[] = [];
      for (const [minute, same] of Map.groupBy(heard, ({ at }) => minuteOf(at).getTime())) {
        const ids = same.map(({ readerId }) => readerId);
        const found = await readers
          .find(
            { _id: { $in: ids }, publishedAt: { $not: { $gte: new Date(minute) } } },
            { session, projection: { workspaceId: 1 }, batchSize: 10_000 },
          )
          .toArray();
        const owners = new Map(found.map(({ _id, workspaceId }) => [_id, workspaceId]));
        unpublished.push(...same.filter(({ readerId, workspaceId }) => owners.get(readerId) === workspaceId));
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
