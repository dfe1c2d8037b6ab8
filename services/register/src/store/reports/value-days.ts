import {
  defineWorkRecords,
  embedded,
  isDuplicateKey,
  type Mongo,
  unclaimed,
  type WorkDocument,
} from "@asset-register/mongo";
import type { CategoryFigures, DayFigures } from "../../domain/reports/daily-value.ts";
import type { Day } from "../../domain/reports/day.ts";

/** A position among the movements of a day. */
export type MovementPosition = { at: Date; id: string };

/** The values of one day of a workspace, and how far they are counted. */
export type ValueDay = Day & {
  /** The workspace and the date. */
  id: string;
  workspaceId: string;
  status: "counting" | "counted";
  progress: { done: number; total: number };
  /** Counted after the day has ended: then never again. */
  isFinal: boolean;
  /** When the newest count began. */
  startedAt: Date;
  /** The last asset that is counted. */
  afterAsset: string;
  /** Whether all assets are counted: the movements follow. */
  assetsDone: boolean;
  afterMovement?: MovementPosition | undefined;
  /** The counts so far. */
  sums: CategoryFigures[];
  /** Of the last complete count. */
  figures?: DayFigures | undefined;
  asOf?: Date | undefined;
};

export type ValueDayDocument = WorkDocument<ValueDay>;

const figures = { count: Number, cost: Number, nbv: Number, movements: Number };

export const valueDayRecords = defineWorkRecords<ValueDay>({
  collection: "value_days",
  name: "day",
  fields: {
    date: String,
    from: Date,
    until: Date,
    isFinal: Boolean,
    startedAt: Date,
    afterAsset: String,
    assetsDone: Boolean,
    afterMovement: embedded({ at: Date, id: String }),
    sums: [embedded({ categoryId: String, ...figures })],
    figures: embedded(figures),
    asOf: Date,
  },
  indexes: [{ name: "date", key: { workspaceId: 1, date: 1 } }],
});

export const valueDayId = (workspaceId: string, date: string): string => `${workspaceId}:${date}`;

const fresh = { afterAsset: "", assetsDone: false, sums: [], progress: { done: 0, total: 0 } };

export function createValueDayStore(mongo: Mongo) {
  const { collection, insert, get, find, toRecord } = valueDayRecords.store(mongo);
  return {
    toRecord,

    get: (workspaceId: string, date: string): Promise<ValueDay | undefined> =>
      get(workspaceId, valueDayId(workspaceId, date)),

    /** The days with figures, in order. Both ends are included; an absent one is open. */
    async counted(
      workspaceId: string,
      from: string | undefined,
      to: string | undefined,
    ): Promise<ValueDay[]> {
      const date = { ...(from !== undefined && { $gte: from }), $lte: to ?? "9999-12-31" };
      return find(workspaceId, { date, figures: { $exists: true } }, { sort: { date: 1 } });
    },

    /** Whether a day has figures, before the others. */
    hasAny: async (workspaceId: string): Promise<boolean> =>
      (await collection.findOne({ workspaceId, figures: { $exists: true } }, { projection: { _id: 1 } })) !==
      null,

    /** Starts the count of a day that has none yet. Another caller may have started it. */
    async start(workspaceId: string, day: Day, isFinal: boolean, now: Date): Promise<void> {
      const id = valueDayId(workspaceId, day.date);
      const record = {
        ...day,
        ...fresh,
        id,
        workspaceId,
        isFinal,
        startedAt: now,
        status: "counting" as const,
      };
      await insert(workspaceId, record).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },

    /** Starts another count of a day, unless another caller has started one since. */
    async restart(before: ValueDay, day: Day, isFinal: boolean, now: Date): Promise<void> {
      const { id, workspaceId, startedAt } = before;
      await collection.updateOne(
        { _id: id, workspaceId, startedAt, isFinal: before.isFinal },
        {
          $set: { ...day, ...fresh, ...unclaimed, isFinal, startedAt: now, status: "counting" },
          $unset: { afterMovement: true },
        },
      );
    },

    async removeBefore(workspaceId: string, date: string): Promise<void> {
      await collection.deleteMany({ workspaceId, date: { $lt: date } });
    },
  };
}
