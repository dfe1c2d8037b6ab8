import {
  type ClientSession,
  defineRecords,
  embedded,
  isDuplicateKey,
  type Mongo,
  retryOnDuplicateKey,
  setOrUnset,
} from "@asset-register/mongo";
import type { Order } from "../../domain/alerts/sighting.ts";

/** When and where an asset was seen last. The id is the asset's. */
export type LastSighting = {
  id: string;
  workspaceId: string;
  at: Date;
  zoneId?: string | undefined;
  readerId?: string | undefined;
  order: Order;
};

/** When the row was written, by the database's clock. */
type LastSightingBookkeeping = { storedAt: Date; judgedAt?: Date | undefined };

export const lastSightingRecords = defineRecords<LastSighting, LastSightingBookkeeping>({
  collection: "last_sightings",
  name: "last sighting",
  fields: {
    at: Date,
    zoneId: String,
    readerId: String,
    order: embedded({ epoch: Number, sequence: Number }),
  },
  beside: { storedAt: Date, judgedAt: Date },
  indexes: [
    { name: "at", key: { workspaceId: 1, at: 1, _id: 1 } },
    { name: "stored", key: { workspaceId: 1, storedAt: 1, _id: 1 } },
  ],
});

/** The part of a list that is read next: after a row, in order of (at, id). */
export type Crossed = { after: Date; afterId: string; until: Date; limit: number };

export function createLastSightingStore(mongo: Mongo) {
  const { collection, getMany, find } = lastSightingRecords.store(mongo);
  return {
    /** Saves each sighting unless the asset was seen later. */
    async upsertNewest(sightings: readonly LastSighting[]): Promise<void> {
      if (sightings.length === 0) return;
      try {
        // Nearly always all rows are older or missing. It costs half of the updates below.
        await collection.bulkWrite(sightings.map(replaceOlder), { ordered: false });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const upserts = sightings.map(upsertNewer);
        await retryOnDuplicateKey(() => collection.bulkWrite(upserts, { ordered: false }));
      }
    },

    /** Assets whose newest sighting is within a time, in order of (at, id). */
    listCrossed: (workspaceId: string, { after, afterId, until, limit }: Crossed): Promise<LastSighting[]> =>
      find(
        workspaceId,
        {
          at: { $lte: until, $gte: after },
          $or: [{ at: { $gt: after } }, { at: after, _id: { $gt: afterId } }],
        },
        { sort: { at: 1, _id: 1 }, limit },
      ),

    /** The same for rows that were written after an instant: they may be about the past. */
    listStored: (
      workspaceId: string,
      {
        storedAfter,
        until,
        afterId,
        limit,
      }: { storedAfter: Date; until: Date; afterId: string; limit: number },
    ): Promise<LastSighting[]> =>
      find(
        workspaceId,
        { storedAt: { $gt: storedAfter }, at: { $lte: until }, _id: { $gt: afterId } },
        { sort: { _id: 1 }, limit },
      ),

    getMany,

    /** Writes the rows that have not changed, so that a newer sighting at the same time conflicts. Returns their ids. */
    async hold(
      workspaceId: string,
      rows: readonly LastSighting[],
      session: ClientSession,
    ): Promise<Set<string>> {
      const unchanged = rows.map(({ id, at }) => ({ _id: id, at }));
      if (unchanged.length === 0) return new Set();
      const filter = { workspaceId, $or: unchanged };
      await collection.updateMany(filter, [{ $set: { judgedAt: "$$NOW" } }], { session });
      const held = await find(workspaceId, { $or: unchanged }, { session });
      return new Set(held.map(({ id }) => id));
    },
  };
}

function replaceOlder({ id, workspaceId, at, zoneId, readerId, order }: LastSighting) {
  return {
    updateOne: {
      filter: { workspaceId, _id: id, at: { $lt: at } },
      update: {
        ...setOrUnset({ at, order, zoneId, readerId }),
        $currentDate: { storedAt: true },
      } as const,
      // A newer row does not match, so that its id is a duplicate.
      upsert: true,
    },
  };
}

function upsertNewer({ id, workspaceId, at, zoneId, readerId, order }: LastSighting) {
  const newer = { $lt: [{ $ifNull: ["$at", new Date(0)] }, at] };
  const keep = (name: string, value: unknown) => ({ $cond: [newer, value, `$${name}`] });
  const set = {
    zoneId: keep("zoneId", { $literal: zoneId ?? null }),
    readerId: keep("readerId", { $literal: readerId ?? null }),
    order: keep("order", order),
    storedAt: keep("storedAt", "$$NOW"),
    at: keep("at", at),
  };
  return { updateOne: { filter: { workspaceId, _id: id }, update: [{ $set: set }], upsert: true } };
}
