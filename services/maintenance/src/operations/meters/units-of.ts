import { endOfDay } from "@asset-register/runtime";
import { requireActive } from "@asset-register/service";
import type { Context } from "../../context.ts";
import { addDays, addIntervals } from "../../domain/schedules/interval.ts";
import { unitsBetween } from "../../domain/schedules/meter.ts";

export type UnitsOf = {
  workspaceId: string;
  assets: { assetId: string; from: Date }[];
  /** YYYY-MM, ascending. */
  months: string[];
};

export type UsedUnits = { assetId: string; units: number[] };

/**
 * The units that assets used from their `from` until the end of each month, in the workspace's time zone. They count from
 * the last reading at or before `from`, else from the first one after it. Assets without readings are left out.
 */
export async function unitsOf(
  context: Context,
  { workspaceId, assets, months }: UnitsOf,
): Promise<UsedUnits[]> {
  const { meterReadings } = context.stores;
  const { timeZone } = await requireActive(context, workspaceId);
  const ends = months.map((month) => endOfDay(lastDay(month), timeZone));
  const ids = assets.map(({ assetId }) => assetId);
  const [counts, bases, first] = await Promise.all([
    meterReadings.countsAt(workspaceId, ids, ends),
    meterReadings.countsUntil(
      workspaceId,
      assets.map(({ assetId, from }) => ({ assetId, until: from })),
    ),
    meterReadings.firstOf(workspaceId, ids),
  ]);
  const byAsset = Map.groupBy(counts, ({ assetId }) => assetId);
  return assets.flatMap(({ assetId }) => {
    const value = first.get(assetId);
    if (value === undefined) return [];
    const base = bases.find((one) => one.assetId === assetId) ?? { last: value, drops: 0 };
    const found = byAsset.get(assetId) ?? [];
    const units = ends.map((_, index) => {
      const until = found.filter(({ time }) => time <= index).toSorted((a, b) => a.time - b.time);
      const last = until.at(-1)?.last;
      if (last === undefined) return 0;
      const drops = [...until.map((one) => one.drops), -base.drops];
      // A month that ended before `from` has none.
      return Math.max(0, unitsBetween(base.last, last, drops));
    });
    return [{ assetId, units }];
  });
}

function lastDay(month: string): string {
  const next = addIntervals(`${month}-01`, { value: 1, unit: "month" });
  return next === undefined ? "9999-12-31" : (addDays(next, -1) ?? next);
}
