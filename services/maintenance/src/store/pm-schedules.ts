import {
  type ClientSession,
  defineWorkRecords,
  embedded,
  embeddedActor,
  type Mongo,
  unclaimed,
  type WorkDocument,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { PmSchedule, PmScheduleEndedReason } from "../domain/schedules/pm-schedule.ts";

/**
 * The phases of a filling, in this order.
 *
 * | Phase | Step |
 * |---|---|
 * | recompute | computes each row again, after a change of the schedule |
 * | add | adds the missing rows of the category's assets |
 * | verify | removes the rows of assets that are not in the category |
 */
export type Filling = {
  phase: "recompute" | "add" | "verify";
  /** The last asset that the phase has handled. */
  after: string;
  /** Present: assets that are added have joined at this date. Absent: they are the first of the schedule. */
  joinedOn?: string | undefined;
};

/** `touches` counts the transactions that added rows: they must not miss a change of the schedule. */
type ScheduleWork = {
  filling?: Filling | undefined;
  /** A category was moved while the schedule was filling: afterwards it is filled again. */
  again?: boolean;
  touches?: number;
};
export type ScheduleDocument = WorkDocument<PmSchedule, ScheduleWork>;

export const pmScheduleRecords = defineWorkRecords<PmSchedule, ScheduleWork>({
  collection: "pm_schedules",
  name: "schedule",
  fields: {
    assetId: String,
    categoryId: String,
    title: String,
    intervalValue: Number,
    intervalUnit: String,
    meterInterval: Number,
    basis: String,
    anchorOn: String,
    leadDays: Number,
    endsOn: String,
    template: embedded({
      ...{ title: String, type: String, priority: String, description: String, assignedTo: String },
    }),
    endedReason: String,
    createdAt: Date,
    createdBy: embeddedActor(),
    rev: Number,
  },
  beside: {
    filling: embedded({ phase: String, after: String, joinedOn: String }),
    again: Boolean,
    touches: Number,
  },
  counted: {},
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    {
      name: "category",
      key: { workspaceId: 1, categoryId: 1 },
      partialFilterExpression: { categoryId: { $exists: true } },
    },
    {
      name: "asset",
      key: { workspaceId: 1, assetId: 1 },
      partialFilterExpression: { assetId: { $exists: true } },
    },
  ],
});

const running = { $in: ["filling", "active"] as const };

export function createPmScheduleStore(mongo: Mongo) {
  const store = pmScheduleRecords.store(mongo);
  const { collection, get, getMany, countRemoved, find, insert, list, save, toRecord } = store;
  return {
    toRecord,
    save,

    insert: (
      workspaceId: string,
      schedule: PmSchedule,
      session: ClientSession,
      filling?: Filling,
    ): Promise<void> => insert(workspaceId, schedule, session, { ...(filling && { filling }) }),

    get,
    getMany,

    list: (workspaceId: string, page: PageQuery): Promise<Page<PmSchedule>> => list(workspaceId, page),

    /** The schedules of categories that have not ended. */
    ofCategories: (
      workspaceId: string,
      categoryIds: string[],
      session?: ClientSession,
    ): Promise<PmSchedule[]> =>
      find(workspaceId, { categoryId: { $in: categoryIds }, status: { $in: [...running.$in] } }, { session }),

    /** The schedules of categories, also ended ones. */
    ofCategory: (workspaceId: string, categoryIds: string[]): Promise<PmSchedule[]> =>
      find(workspaceId, { categoryId: { $in: categoryIds } }),

    /** The own schedules of assets that have not ended. */
    ofAssets: (workspaceId: string, assetIds: string[], session?: ClientSession): Promise<PmSchedule[]> =>
      find(workspaceId, { assetId: { $in: assetIds }, status: { $in: [...running.$in] } }, { session }),

    /** Whether any category has a schedule. */
    async hasCategorySchedules(workspaceId: string): Promise<boolean> {
      const filter = { workspaceId, categoryId: { $exists: true } };
      return (await collection.findOne(filter, { projection: { _id: 1 } })) !== null;
    },

    /** Reads a schedule and writes to it: the transaction conflicts with a change or deletion of the schedule. */
    async touch(workspaceId: string, id: string, session: ClientSession): Promise<PmSchedule | undefined> {
      const after = await collection.findOneAndUpdate(
        { workspaceId, _id: id },
        { $inc: { touches: 1 } },
        { session, returnDocument: "after" },
      );
      return after === null ? undefined : toRecord(after);
    },

    /** Begins a filling of a schedule that was saved in this transaction. */
    async startFilling(
      workspaceId: string,
      id: string,
      { filling, total }: { filling: Filling; total: number },
      session: ClientSession,
    ): Promise<void> {
      const change = { status: "filling" as const, progress: { done: 0, total }, filling, ...unclaimed };
      await collection.updateOne(
        { workspaceId, _id: id },
        { $set: change, $unset: { again: true } },
        { session },
      );
    },

    /**
     * Fills the running schedules of these categories again, because their assets may have changed. One that is
     * filling does so afterwards.
     */
    async fillAgain(workspaceId: string, categoryIds: string[], joinedOn: string): Promise<void> {
      const filter = { workspaceId, categoryId: { $in: categoryIds } };
      await collection.updateMany({ ...filter, status: "filling" }, { $set: { again: true } });
      await collection.updateMany(
        { ...filter, status: "active" },
        {
          $set: {
            status: "filling",
            progress: { done: 0, total: 0 },
            filling: { phase: "add", after: "", joinedOn },
            ...unclaimed,
          },
          $inc: { rev: 1 },
        },
      );
    },

    /** Ends schedules. Their due rows are removed by the caller. */
    async end(
      workspaceId: string,
      ids: string[],
      endedReason: PmScheduleEndedReason,
      session?: ClientSession,
    ): Promise<void> {
      await collection.updateMany(
        { workspaceId, _id: { $in: ids }, status: { $in: [...running.$in] } },
        {
          $set: { status: "ended", endedReason, ...unclaimed },
          $unset: { filling: true, again: true },
          $inc: { rev: 1 },
        },
        session && { session },
      );
    },

    async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      const { deletedCount } = await collection.deleteOne({ workspaceId, _id: id }, { session });
      if (deletedCount > 0) await countRemoved(workspaceId, [id], session);
    },
  };
}
