import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { ReaderDocument } from "./readers.ts";

/** A reader that was heard again after a silence. */
export type ReturnedReader = { id: string; heardAt: number };

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
      await readers.updateMany(silent, { $set: { disarmed: true } }, { session });
      const marked = await readers.find(silent, { session, projection: { _id: 1 } }).toArray();
      return new Set(marked.map(({ _id }) => _id));
    },

    /** The marked readers that were heard since `since`. */
    async listReturned(since: Date, limit: number): Promise<ReturnedReader[]> {
      const found = await readers
        .find({ disarmed: true, lastSeenAt: { $gte: since } }, { projection: { aliveSince: 1 }, limit })
        .toArray();
      return found.map(({ _id: id, aliveSince }) => ({ id, heardAt: aliveSince?.getTime() ?? 0 }));
    },

    async unmark(ids: readonly string[]): Promise<void> {
      await readers.updateMany({ _id: { $in: [...ids] } }, { $unset: { disarmed: 1 } });
    },
  };
}
