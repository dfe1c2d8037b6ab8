import { type ClientSession, defineRecords, type Mongo, setOrUnset } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { DueRow } from "../domain/schedules/due-row.ts";

export const dueRowRecords = defineRecords<DueRow>({
  collection: "due_rows",
  name: "due row",
  fields: {
    pmScheduleId: String,
    assetId: String,
    nextDueOn: String,
    nextDueMeter: Number,
    lastCompletedOn: String,
    lastDueOn: String,
    lastDoneById: String,
    lastCompletedMeter: Number,
    joinedOn: String,
    meterFrom: Date,
    calibration: Boolean,
    metered: Boolean,
    endsOn: String,
  },
  indexes: [
    // The due lists. endsOn comes last, so that rows of schedules past their last day are skipped in the index.
    { name: "due", key: { workspaceId: 1, calibration: 1, nextDueOn: 1, _id: 1, endsOn: 1 } },
    { name: "schedule_asset", key: { workspaceId: 1, pmScheduleId: 1, assetId: 1 }, unique: true },
    { name: "schedule", key: { workspaceId: 1, pmScheduleId: 1, _id: 1 } },
    { name: "asset", key: { workspaceId: 1, assetId: 1 } },
  ],
});

export function createDueRowStore(mongo: Mongo) {
  const { collection, find, findOne, insert, insertMany, list } = dueRowRecords.store(mongo);
  return {
    insert,
    insertMany,

    /** The rows of some assets, of all schedules. */
    ofAssets: (workspaceId: string, assetIds: string[], session?: ClientSession): Promise<DueRow[]> =>
      find(workspaceId, { assetId: { $in: assetIds } }, { session }),

    /** The row of a schedule for one asset. */
    ofAsset: (
      workspaceId: string,
      pmScheduleId: string,
      assetId: string,
      session?: ClientSession,
    ): Promise<DueRow | undefined> => findOne(workspaceId, { pmScheduleId, assetId }, session),

    /** The rows of a schedule for some assets. */
    ofSchedule: (
      workspaceId: string,
      pmScheduleId: string,
      assetIds: string[],
      session?: ClientSession,
    ): Promise<DueRow[]> => find(workspaceId, { pmScheduleId, assetId: { $in: assetIds } }, { session }),

    /** The rows of the schedules of single assets. */
    ofSchedules: (workspaceId: string, pmScheduleIds: string[], session?: ClientSession): Promise<DueRow[]> =>
      find(workspaceId, { pmScheduleId: { $in: pmScheduleIds } }, { session }),

    /** Rows of a schedule in order of asset, after one. */
    after: (
      workspaceId: string,
      pmScheduleId: string,
      { assetId, limit, session }: { assetId: string; limit: number; session?: ClientSession | undefined },
    ): Promise<DueRow[]> =>
      find(
        workspaceId,
        { pmScheduleId, assetId: { $gt: assetId } },
        { session, sort: { assetId: 1 }, limit },
      ),

    list: (workspaceId: string, pmScheduleId: string, page: PageQuery): Promise<Page<DueRow>> =>
      list(workspaceId, page, { filter: { pmScheduleId } }),

    count: (workspaceId: string, pmScheduleId: string): Promise<number> =>
      collection.countDocuments({ workspaceId, pmScheduleId }),

    /** The rows that are due on or before a date, in order of (next_due_on, id). */
    listDue: (
      workspaceId: string,
      {
        calibration,
        until,
        today,
        days,
      }: { calibration: boolean; until: string; today: string; days: number },
      page: PageQuery,
    ): Promise<Page<DueRow>> =>
      list(
        workspaceId,
        { ...page, sort: "next_due_on" },
        {
          filter: { calibration, nextDueOn: { $lte: until }, endsOn: { $gte: today } },
          sorts: { next_due_on: "nextDueOn" },
          boundTo: { calibration, days },
        },
      ),

    /** Replaces rows that were read in this transaction. */
    async saveMany(workspaceId: string, rows: readonly DueRow[], session: ClientSession): Promise<void> {
      if (rows.length === 0) return;
      const operations = rows.map(({ id, workspaceId: _, pmScheduleId: __, assetId: ___, ...fields }) => ({
        updateOne: { filter: { workspaceId, _id: id }, update: setOrUnset({ ...cleared, ...fields }) },
      }));
      await collection.bulkWrite(operations, { session, ordered: false });
    },

    async removeMany(workspaceId: string, ids: string[], session: ClientSession): Promise<void> {
      if (ids.length > 0) await collection.deleteMany({ workspaceId, _id: { $in: ids } }, { session });
    },

    async removeOfSchedule(
      workspaceId: string,
      pmScheduleId: string,
      session?: ClientSession,
    ): Promise<void> {
      await collection.deleteMany({ workspaceId, pmScheduleId }, session && { session });
    },
  };
}

/** Fields that a row may lose. */
const cleared = {
  nextDueOn: undefined,
  nextDueMeter: undefined,
  lastCompletedOn: undefined,
  lastDueOn: undefined,
  lastDoneById: undefined,
  lastCompletedMeter: undefined,
  joinedOn: undefined,
  meterFrom: undefined,
};
