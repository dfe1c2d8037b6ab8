import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { ReaderDocument } from "./readers.ts";

/** A reader that was heard again after a silence. */
export type ReturnedReader = { id: string; heardAt: number };

const HEARD_SINCE_MARK = { $expr: { $gt: ["$lastSeenAt", "$silentSince"] } };

/**
 * Marks readers that are silent and whose tags are therefore not due for departure. So a sweep finds those that were
 * heard again in an index that holds no others. Across workspaces, because a sweep serves all.
 */
export function createSilentReaders(mongo: Mongo) {
  const readers = systemCollection<ReaderDocument>(mongo, "readers");
  return {
    /** Marks those of the readers that were not heard since `since`. Returns their ids. */
    async mark(ids: readonly string[], since: Date, session: ClientSession): Promise<Set<string>> {
      const silent = { _id: { $in: [...ids] }, lastSeenAt: { $not: { $gte: since } } };
      const change = { disarmed: true, silentSince: { $ifNull: ["$lastSeenAt", "$createdAt"] } };
      await readers.updateMany(silent, [{ $set: change }], { session });
      const marked = await readers.find(silent, { session, projection: { _id: 1 } }).toArray();
      return new Set(marked.map(({ _id }) => _id));
    },

    /** The readers that were heard after they were marked, and since `since`. */
    async listReturned(since: Date, limit: number): Promise<ReturnedReader[]> {
      const found = await readers
        .find(
          { disarmed: true, lastSeenAt: { $gte: since }, ...HEARD_SINCE_MARK },
          { projection: { aliveSince: 1 }, limit },
        )
        .toArray();
      return found.map(({ _id: id, aliveSince }) => ({ id, heardAt: aliveSince?.getTime() ?? 0 }));
    },

    async unmark(ids: readonly string[]): Promise<void> {
      const returned = { _id: { $in: [...ids] }, ...HEARD_SINCE_MARK };
      await readers.updateMany(returned, { $unset: { disarmed: 1, silentSince: 1 } });
    },
  };
}
