import { type ClientSession, listParts, type Mongo, type TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import type { PageQuery } from "@asset-register/rpc";
import { type NumberedSighting, sightingSubject } from "../../domain/presence/sighting.ts";
import type { TimeSpan } from "../../domain/presence/time-span.ts";
import { dayOf } from "../../domain/utc-day.ts";
import { createDayCollections, type DayRecords, nameOfDay } from "../day-collections.ts";

/** A stored sighting of an asset or of an unknown tag. */
export type StoredSighting = TenantDocument &
  Omit<NumberedSighting, "at" | "receivedAt" | "autoMove" | "flapping"> & { at: Date; receivedAt: Date };

/** A stored sighting of an asset. */
export type AssetSighting = StoredSighting & { change: Exclude<StoredSighting["change"], "unknown_tag"> };

/** The place after a sighting in the order of (day, asset or EPC, time). `id` is empty before the first of a day. */
export type SightingPlace = { day: string; id: string };

/** The ids are in the order of the only list. A further index would cost as much as the row (7 us). */
export const sightingDays: DayRecords = { name: "sightings", registry: "sighting_days", indexes: [] };

/**
 * The published sightings of each tag, in the collection of the day of its time. On the hot path of reads, in native
 * collections: a batch has sightings of many workspaces.
 */
export function createSightingStore(mongo: Mongo) {
  const days = createDayCollections(mongo, sightingDays);

  /** The ids of a workspace begin with its own. */
  function readDay(
    workspaceId: string,
    day: string,
    { from, to, afterId, limit }: { from: Date; to: Date; afterId: string; limit: number },
  ): Promise<StoredSighting[]> {
    const ids = { $gt: afterId || `${workspaceId}:`, $lt: `${workspaceId};` };
    return mongo
      .collection<StoredSighting>(day)
      .find({ workspaceId, _id: ids, at: { $gte: from, $lt: to } }, { hint: { _id: 1 }, limit })
      .sort({ _id: 1 })
      .toArray();
  }

  return {
    /**
     * Stores sightings in the caller's transaction. Their time may be days ago, so it is known only now which
     * collections they need. A new one is created outside the transaction, which MongoDB then asks to repeat.
     */
    async insert(sightings: readonly NumberedSighting[], session: ClientSession): Promise<void> {
      const byDay = Map.groupBy(sightings, ({ at }) => dayOf(at));
      await days.prepare(byDay.keys());
      for (const [day, own] of byDay) {
        await systemCollection<StoredSighting>(mongo, nameOfDay(sightingDays, day)).insertMany(
          own.map(toDocument),
          { session, ordered: false, ignoreUndefined: true },
        );
      }
    },

    /** The sightings of an asset in a time, the newest first. */
    async list(
      workspaceId: string,
      assetId: string,
      { from, to, asked }: TimeSpan,
      page: PageQuery,
    ): Promise<{ items: AssetSighting[]; nextCursor?: string | undefined }> {
      const parts = await days.partsBetween(from, to);
      return listParts<AssetSighting>(mongo, {
        ...{ list: sightingDays.name, workspaceId, filter: { assetId }, boundTo: { ...asked, assetId } },
        ...{ field: "at", idAt: (time) => idAt({ workspaceId, subject: assetId }, time.getTime()) },
        ...{ from, to, parts, page },
      });
    },

    /**
     * Sightings of all assets and unknown tags of a workspace in a time, after a place: by day, then in the order of
     * their ids. An order by time alone would need a further index.
     */
    async listAll(
      workspaceId: string,
      { from, to, after, limit }: { from: Date; to: Date; after?: SightingPlace | undefined; limit: number },
    ): Promise<{ items: StoredSighting[]; next?: SightingPlace | undefined }> {
      const inTime = (await days.partsBetween(from, to)).map(({ collection }) => collection).reverse();
      const items: StoredSighting[] = [];
      for (const day of inTime) {
        if (after !== undefined && day < after.day) continue;
        const afterId = day === after?.day ? after.id : "";
        const found = await readDay(workspaceId, day, { from, to, afterId, limit: limit - items.length });
        items.push(...found);
        const last = found.at(-1);
        if (last !== undefined && items.length === limit) return { items, next: { day, id: last._id } };
      }
      return { items };
    },

    /** Drops the days before `ms` that are not kept. Returns how many. */
    dropBefore: (ms: number, now: Date): Promise<number> => days.dropBefore(ms, now),
  };
}

/** A sighting is stored once: its id has its number. Those of one time are in the order of their numbers. */
function toDocument({ autoMove: _, flapping: __, ...sighting }: NumberedSighting): StoredSighting {
  const { workspaceId, at, receivedAt, sequence } = sighting;
  return {
    ...sighting,
    _id: `${idAt({ workspaceId, subject: sightingSubject(sighting) }, at)}${digits(sequence, 10)}`,
    ...{ at: new Date(at), receivedAt: new Date(receivedAt) },
  };
}

/** The begin of the ids of a subject at a time. */
const idAt = ({ workspaceId, subject }: { workspaceId: string; subject: string }, ms: number): string =>
  `${workspaceId}:${subject}:${digits(ms, 15)}:`;

const digits = (number: number, count: number): string => String(number).padStart(count, "0");
