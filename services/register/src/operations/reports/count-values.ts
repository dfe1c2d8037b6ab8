import { type Chunk, createLongWork, type LongWork } from "@asset-register/mongo";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { addToSums, totalFigures } from "../../domain/reports/daily-value.ts";
import { type ValueDay, type ValueDayDocument, valueDayRecords } from "../../store/reports/value-days.ts";

/** How the work differs in tests. */
export type ValueSettings = { leaseMs?: number; assetsAtOnce?: number; movementsAtOnce?: number };

type DayChunk = Chunk<ValueDayDocument>;

/** Reading so many takes about 100 ms, on a busy machine less than a second. */
const ASSETS = 5_000;
const MOVEMENTS = 2_000;

/** Counts the values of days: the assets by ranges of ids, then the movements. The last step replaces the day's rows. */
export function createValueCount(
  context: Context,
  { leaseMs, assetsAtOnce = ASSETS, movementsAtOnce = MOVEMENTS }: ValueSettings = {},
): LongWork<ValueDayDocument> {
  return createLongWork<ValueDayDocument>({
    ...{ ...context, collection: valueDayRecords.collection, leaseMs },
    // Nothing in a register makes its count fail.
    statuses: { counting: { failed: "counting" } },
    async step(document) {
      const day = context.stores.valueDays.toRecord(document);
      await requireActive(context, day.workspaceId);
      return day.assetsDone
        ? countMovements(context, day, movementsAtOnce)
        : countAssets(context, day, assetsAtOnce);
    },
  });
}

async function countAssets({ stores }: Context, day: ValueDay, limit: number): Promise<DayChunk> {
  const { workspaceId, afterAsset, progress, sums } = day;
  const { parts, read, last } = await stores.valueCounts.assets(workspaceId, day, afterAsset, limit);
  return {
    progress: progressAfter(progress, read),
    set: { sums: addToSums(sums, parts), assetsDone: last === undefined, afterAsset: last ?? afterAsset },
  };
}

async function countMovements({ stores }: Context, day: ValueDay, limit: number): Promise<DayChunk> {
  const { workspaceId, date, startedAt, afterMovement, progress } = day;
  const found = await stores.valueCounts.movements(workspaceId, day, afterMovement, limit);
  const sums = addToSums(day.sums, found.parts);
  const counted = progressAfter(progress, found.read);
  if (found.last) return { progress: counted, set: { sums, afterMovement: found.last } };
  return {
    progress: counted,
    status: "counted",
    set: { sums: [], figures: totalFigures(sums), asOf: startedAt },
    save: (session) => stores.dailyValues.replace(workspaceId, date, sums, session),
  };
}

function progressAfter({ done, total }: ValueDay["progress"], read: number): ValueDay["progress"] {
  return { done: done + read, total: Math.max(total, done + read) };
}
