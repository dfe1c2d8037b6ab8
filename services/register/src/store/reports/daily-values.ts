import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { CategoryFigures, DailyValue } from "../../domain/reports/daily-value.ts";

type DailyValueRecord = DailyValue & { id: string; workspaceId: string };

export const dailyValueRecords = defineRecords<DailyValueRecord>({
  collection: "daily_values",
  name: "value",
  fields: { date: String, categoryId: String, count: Number, cost: Number, nbv: Number, movements: Number },
  indexes: [
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "date", key: { workspaceId: 1, date: 1 } },
  ],
});

const FIRST_DATE = "0000-01-01";
const LAST_DATE = "9999-12-31";

/** The order of ids is that of date and category. */
const idOf = (workspaceId: string, date: string, categoryId = "") => `${workspaceId}:${date}:${categoryId}`;

/** A row for each day and category. */
export function createDailyValueStore(mongo: Mongo) {
  const { collection, insertMany, list } = dailyValueRecords.store(mongo);
  return {
    /** Both ends are included; an absent one is open. */
    list: (
      workspaceId: string,
      { from, to }: { from?: string | undefined; to?: string | undefined },
      page: PageQuery,
    ): Promise<Page<DailyValue>> => {
      const _id = {
        $gte: idOf(workspaceId, from ?? FIRST_DATE),
        // After all categories of the date.
        $lt: `${workspaceId}:${to ?? LAST_DATE};`,
      };
      return list(workspaceId, page, { filter: { _id }, countCacheMs: 0 });
    },

    /** Replaces the rows of a day. */
    async replace(
      workspaceId: string,
      date: string,
      sums: readonly CategoryFigures[],
      session: ClientSession,
    ): Promise<void> {
      await collection.deleteMany({ workspaceId, date }, { session });
      const rows = sums.map((sum) => ({
        ...sum,
        date,
        id: idOf(workspaceId, date, sum.categoryId),
        workspaceId,
      }));
      await insertMany(workspaceId, rows, session);
    },

    async removeBefore(workspaceId: string, date: string): Promise<void> {
      await collection.deleteMany({ workspaceId, date: { $lt: date } });
    },
  };
}
