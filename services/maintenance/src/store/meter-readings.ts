import { type ClientSession, defineRecords, embeddedActor, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { MeterReading } from "../domain/meters/meter-reading.ts";
import type { MeterPoint } from "../domain/schedules/meter.ts";

export const meterReadingRecords = defineRecords<MeterReading>({
  collection: "meter_readings",
  name: "meter reading",
  fields: {
    assetId: String,
    value: Number,
    unit: String,
    readAt: Date,
    reset: Boolean,
    dropped: Number,
    createdAt: Date,
    createdBy: embeddedActor(),
  },
  indexes: [
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    // Values are in the index, so that counts of many readings read no documents.
    { name: "time", key: { workspaceId: 1, assetId: 1, readAt: 1, _id: 1, value: 1, dropped: 1 } },
  ],
});

/** Points of one asset in order of time. */
export type AssetPoint = MeterPoint & { assetId: string };

const inTime = { readAt: 1, _id: 1 } as const;
const lastInTime = { readAt: -1, _id: -1 } as const;
const pointFields = { _id: 0, assetId: 1, readAt: 1, value: 1, dropped: 1 } as const;

export function createMeterReadingStore(mongo: Mongo) {
  const { collection, get, find, insert, list } = meterReadingRecords.store(mongo);
  return {
    insert,
    get,

    list: (workspaceId: string, assetId: string, page: PageQuery): Promise<Page<MeterReading>> =>
      list(workspaceId, page, { filter: { assetId } }),

    /** The last reading at or before a time. */
    async lastUntil(
      workspaceId: string,
      assetId: string,
      until: Date,
      session?: ClientSession,
    ): Promise<MeterReading | undefined> {
      const options = { session, sort: lastInTime, limit: 1 };
      return (await find(workspaceId, { assetId, readAt: { $lte: until } }, options))[0];
    },

    /** The first reading after a time. Without one, the first of all. */
    async firstAfter(
      workspaceId: string,
      assetId: string,
      after: Date | undefined,
      session?: ClientSession,
    ): Promise<MeterReading | undefined> {
      const filter = { assetId, ...(after && { readAt: { $gt: after } }) };
      return (await find(workspaceId, filter, { session, sort: inTime, limit: 1 }))[0];
    },

    async setDropped(
      workspaceId: string,
      id: string,
      dropped: number,
      session: ClientSession,
    ): Promise<void> {
      await collection.updateOne({ workspaceId, _id: id }, { $set: { dropped } }, { session });
    },

    /** All readings of some assets, by asset, in order of time. */
    async pointsOf(
      workspaceId: string,
      assetIds: string[],
      session?: ClientSession,
    ): Promise<Map<string, AssetPoint[]>> {
      const points = await collection
        .find<AssetPoint>({ workspaceId, assetId: { $in: assetIds } }, { ...(session && { session }) })
        .project<AssetPoint>(pointFields)
        .sort({ assetId: 1, ...inTime })
        .toArray();
      return Map.groupBy(points, ({ assetId }) => assetId);
    },

    /**
     * The counts of assets at times, which ascend: for each asset and each time the last value until then, and the sum
     * of the drops until then. One pass over the index.
     */
    async countsAt(workspaceId: string, assetIds: string[], times: Date[]): Promise<CountAt[]> {
      const last = times.at(-1);
      if (last === undefined) return [];
      // How many times are before a reading: the index of the first time at or after it.
      const time = { $size: { $filter: { input: times, cond: { $lt: ["$$this", "$readAt"] } } } };
      return collection
        .aggregate<CountAt>([
          { $match: { workspaceId, assetId: { $in: assetIds }, readAt: { $lte: last } } },
          { $sort: { workspaceId: 1, assetId: 1, ...inTime } },
          {
            $group: {
              _id: { assetId: "$assetId", time },
              last: { $last: "$value" },
              drops: { $sum: { $ifNull: ["$dropped", 0] } },
            },
          },
          { $project: { _id: 0, assetId: "$_id.assetId", time: "$_id.time", last: 1, drops: 1 } },
        ])
        .toArray();
    },

    /** The values of the first readings, by asset. */
    async firstOf(workspaceId: string, assetIds: string[]): Promise<Map<string, number>> {
      const found = await collection
        .aggregate<{ _id: string; value: number }>([
          { $match: { workspaceId, assetId: { $in: assetIds } } },
          { $sort: { workspaceId: 1, assetId: 1, ...inTime } },
          { $group: { _id: "$assetId", value: { $first: "$value" } } },
        ])
        .toArray();
      return new Map(found.map(({ _id, value }) => [_id, value]));
    },

    /** For each asset the count at its own time: the last value until then, and the sum of the drops until then. */
    async countsUntil(
      workspaceId: string,
      assets: readonly { assetId: string; until: Date }[],
    ): Promise<Omit<CountAt, "time">[]> {
      if (assets.length === 0) return [];
      const either = assets.map(({ assetId, until }) => ({ assetId, readAt: { $lte: until } }));
      return collection
        .aggregate<Omit<CountAt, "time">>([
          { $match: { workspaceId, $or: either } },
          { $sort: { workspaceId: 1, assetId: 1, ...inTime } },
          {
            $group: {
              _id: "$assetId",
              last: { $last: "$value" },
              drops: { $sum: { $ifNull: ["$dropped", 0] } },
            },
          },
          { $project: { _id: 0, assetId: "$_id", last: 1, drops: 1 } },
        ])
        .toArray();
    },
  };
}

/** The readings of an asset between two times. */
export type CountAt = {
  assetId: string;
  /** Index of the time at which they end. */
  time: number;
  last: number;
  drops: number;
};
