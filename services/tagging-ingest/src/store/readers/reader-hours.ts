import type { ClientSession, Index, Mongo, TenantDocument } from "@asset-register/mongo";
import { systemCollection } from "@asset-register/mongo/system";
import { expiryDay } from "../../domain/presence/retention.ts";
import {
  type ActivityRange,
  HOUR_MS,
  HOURS_KEPT_DAYS,
  MINUTE_MS,
  MINUTES_KEPT_MS,
} from "../../domain/readers/activity-range.ts";
import type { HourOfReads } from "../../domain/readers/baseline.ts";
import { type MinuteCount, rejectedEvents } from "../../domain/readers/reader-health.ts";
import type { Activity } from "./readers.ts";

/** Events by their status. Those that are 0 are absent. */
type Counts = Partial<Record<"accepted" | "rejected" | "duplicate", number>>;

/** The events of a reader in one step. `accepted` has no repeats. */
export type ActivityRow = Required<Counts> & { at: Date };

/** One hour of a reader. Its minutes are counted in the same row: a flush writes a reader once, and hours need no sweep. */
type HourDocument = TenantDocument &
  Counts & {
    readerId: string;
    at: Date;
    /** By the minute of the hour. Removed after MINUTES_KEPT_MS. */
    minutes?: Record<string, Counts>;
    /** When the minutes may be removed. */
    minutesUntil?: Date;
    /** The row is removed on this day. */
    expiresAt: Date;
  };

const COLLECTION = "reader_hours";

export const readerHours: {
  collection: string;
  indexes: readonly Index[];
  systemIndexes: readonly Index[];
} = {
  collection: COLLECTION,
  indexes: [{ name: "reader", key: { workspaceId: 1, readerId: 1, at: 1 } }],
  /** Across workspaces: for the sweep, and for the database, which removes old rows. Both fields are written once. */
  systemIndexes: [
    {
      name: "minutes",
      key: { minutesUntil: 1 },
      partialFilterExpression: { minutesUntil: { $exists: true } },
    },
    { name: "expiry", key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
};

/** The rows of one update of `dropMinutes`. */
const DROPPED_TOGETHER = 1_000;

/** How many events of each reader were accepted, rejected and repeated, by hour and minute of their receipt. */
export function createReaderHours(mongo: Mongo) {
  const collection = mongo.collection<HourDocument>(COLLECTION);
  // Activity of readers of all workspaces is written together.
  const rows = systemCollection<HourDocument>(mongo, COLLECTION);
  return {
    /** Adds what was counted, in the transaction that adds it to the counters of the readers. */
    async add(activities: readonly Activity[], session: ClientSession): Promise<void> {
      const upserts = activities.flatMap(upsertsOf);
      if (upserts.length > 0) await rows.bulkWrite(upserts, { session, ordered: false });
    },

    /** The steps of a reader with events, in order of time. */
    async list(workspaceId: string, readerId: string, range: ActivityRange): Promise<ActivityRow[]> {
      const { step, from, to } = range;
      const at = { $gte: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS), $lt: to };
      const found = await collection
        .find({ workspaceId, readerId, at }, step === "hour" ? { projection: { minutes: 0 } } : {})
        .sort({ at: 1 })
        .toArray();
      if (step === "hour") return found.map((hour) => rowOf(hour.at, hour));
      return found.flatMap(minutesOf).filter((row) => row.at >= from && row.at < to);
    },

    /** The hours of some readers with accepted events, from the one that begins at `from`, before `to`. */
    async listOf(
      workspaceId: string,
      readerIds: readonly string[],
      { from, to }: { from: Date; to: Date },
    ): Promise<Map<string, HourOfReads[]>> {
      const found = await collection
        .find(
          { workspaceId, readerId: { $in: [...readerIds] }, at: { $gte: from, $lt: to } },
          { projection: { readerId: 1, at: 1, accepted: 1 }, batchSize: 10_000 },
        )
        .toArray();
      const hours = found.map(({ readerId, at, accepted = 0 }) => ({ readerId, at, accepted }));
      return Map.groupBy(hours, ({ readerId }) => readerId);
    },

    /** Removes minutes that are kept no longer. Returns of how many hours. */
    async dropMinutes(now: Date): Promise<number> {
      for (let dropped = 0; ; ) {
        const found = await rows
          .find({ minutesUntil: { $lte: now } }, { projection: { _id: 1 }, limit: DROPPED_TOGETHER })
          .toArray();
        if (found.length === 0) return dropped;
        const ids = found.map(({ _id }) => _id);
        await rows.updateMany({ _id: { $in: ids } }, { $unset: { minutes: 1, minutesUntil: 1 } });
        dropped += found.length;
      }
    },
  };
}

/** One upsert for each hour in which a reader was active since the last flush: nearly always one. */
export function upsertsOf({ workspaceId, readerId, minutes = [] }: Activity) {
  const hours = Map.groupBy(minutes, ({ minute }) => Math.floor((minute * MINUTE_MS) / HOUR_MS));
  return [...hours].flatMap(([hour, counts]) => {
    const raised = raises(counts);
    // Wrong signatures alone are no activity of the reader.
    if (Object.keys(raised).length === 0) return [];
    const at = new Date(hour * HOUR_MS);
    const minutesUntil = new Date(at.getTime() + HOUR_MS + MINUTES_KEPT_MS);
    const expiresAt = expiryDay(at, HOURS_KEPT_DAYS);
    return {
      updateOne: {
        filter: { _id: `${readerId}:${hour}` },
        update: {
          $inc: raised,
          $setOnInsert: { workspaceId, readerId, at, minutesUntil, expiresAt },
        },
        upsert: true,
      },
    };
  });
}

/** By how much each counter of a row is raised. */
function raises(counts: readonly MinuteCount[]): Record<string, number> {
  const raised: Record<string, number> = {};
  for (const { minute, accepted, duplicate, rejected } of counts) {
    const named = {
      accepted: accepted - duplicate,
      duplicate,
      rejected: rejectedEvents(rejected),
    };
    for (const [name, number] of Object.entries(named)) {
      if (number === 0) continue;
      raised[name] = (raised[name] ?? 0) + number;
      raised[`minutes.${minute % 60}.${name}`] = number;
    }
  }
  return raised;
}

const rowOf = (at: Date, { accepted = 0, rejected = 0, duplicate = 0 }: Counts): ActivityRow => ({
  ...{ at, accepted, rejected, duplicate },
});

function minutesOf({ at, minutes = {} }: HourDocument): ActivityRow[] {
  return Object.entries(minutes)
    .map(([minute, counts]) => rowOf(new Date(at.getTime() + Number(minute) * MINUTE_MS), counts))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
}
