import type { ClientSession, Mongo } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { ReaderDocument } from "./readers.ts";

/** A reader that was heard again after a silence, or was revoked (without `heardAt`). */
export type ReturnedReader = { id: string; heardAt?: number };

const HEARD_SINCE_MARK = { $expr: { $gt: ["$lastSeenAt", "$silentSince"] } };
const REVOKED = { revokedAt: { $gt: new Date(0) } };

/**
 * Marks readers that are silent and whose tags therefore do not leave. So a sweep finds those that were heard again or
 * revoked in indexes that hold no others. Across workspaces, because a sweep serves all.
 */
export function createSilentReaders(mongo: Mongo) {
  const readers = systemCollection<ReaderDocument>(mongo, "readers");
  return {
    /** Marks those of the readers that are active and were not heard since `since`. Returns their ids. */
    async mark(ids: readonly string[], since: Date, session: ClientSession): Promise<Set<string>> {
      const silent = {
        ...{ _id: { $in: [...ids] }, status: "active" as const, lastSeenAt: { $not: { $gte: since } } },
      };
      const change = { disarmed: true, silentSince: { $ifNull: ["$lastSeenAt", "$createdAt"] } };
      await readers.updateMany(silent, [{ $set: change }], { session });
      const marked = await readers.find(silent, { session, projection: { _id: 1 } }).toArray();
      return new Set(marked.map(({ _id }) => _id));
    },

    /** The marked readers that were heard since their mark and since `since`, and those that were revoked. */
    async listReturned(since: Date, limit: number): Promise<ReturnedReader[]> {
      const projection = { aliveSince: 1 };
      const heard = { disarmed: true, lastSeenAt: { $gte: since }, ...HEARD_SINCE_MARK };
      const [returned, revoked] = await Promise.all([
        readers.find({ ...heard, status: "active" }, { projection, limit }).toArray(),
        readers.find({ disarmed: true, ...REVOKED }, { projection, limit }).toArray(),
      ]);
      return [
        ...returned.map(({ _id: id, aliveSince }) => ({ id, heardAt: aliveSince?.getTime() ?? 0 })),
        ...revoked.map(({ _id: id }) => ({ id })),
      ];
    },

    async unmark(ids: readonly string[]): Promise<void> {
      const returned = { _id: { $in: [...ids] }, $or: [HEARD_SINCE_MARK, REVOKED] };
      await readers.updateMany(returned, { $unset: { disarmed: 1, silentSince: 1 } });
    },
  };
}
