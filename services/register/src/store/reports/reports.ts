import type { ListWay, Mongo } from "@asset-register/mongo";
import { type AssetFilter, hasNoFilter } from "../../domain/assets/asset.ts";
import type { FiguresOf, StatusFigures } from "../../domain/reports/report.ts";
import { toFilter } from "../assets/asset-filter.ts";
import { selectionIndex } from "../assets/asset-indexes.ts";
import { type AssetListPlanner, createAssetListPlanner } from "../assets/asset-list-plan.ts";
import { assetRecords } from "../assets/asset-records.ts";

/** The field of an asset whose values are the rows of a report. */
export type ReportField = "locationId" | "custodianId" | "categoryId";

type Row<K> = Omit<StatusFigures, "statusId" | "disposed"> & { _id: K };

/**
 * Figures of assets. Without a filter an index contains everything that they need. A sum of the server is exact up to
 * 2^53, because it adds with twice the digits of a double and rounds at the end.
 */
export function createReportStore(mongo: Mongo, planner: AssetListPlanner = createAssetListPlanner(mongo)) {
  const { collection } = assetRecords.store(mongo);

  async function group<K>(
    workspaceId: string,
    filter: AssetFilter,
    index: string,
    { _id, ...live }: { _id: unknown; live?: boolean },
  ): Promise<Row<K>[]> {
    const selected = { ...filter, includeDeleted: false };
    const way: ListWay = hasNoFilter(filter) ? { hint: index } : await planner.total(workspaceId, selected);
    const match = { ...(way.filter ?? toFilter(selected)), ...live, workspaceId };
    const found = collection.aggregate<Row<K>>(
      [
        { $match: match },
        {
          $group: {
            _id,
            count: { $sum: 1 },
            cost: { $sum: "$cost" },
            nbv: { $sum: "$nbv" },
            accumulated: { $sum: "$accumulatedDepreciation" },
            withoutCost: { $sum: { $cond: [{ $gt: ["$cost", null] }, 0, 1] } },
          },
        },
      ],
      way.hint === undefined ? {} : { hint: way.hint },
    );
    return found.toArray();
  }

  return {
    /** The figures of each status; those of disposed assets are apart. */
    async byStatus(workspaceId: string, filter: AssetFilter): Promise<StatusFigures[]> {
      const rows = await group<{ statusId: string; live: boolean }>(
        workspaceId,
        filter,
        selectionIndex("statusId"),
        { _id: { statusId: "$statusId", live: "$live" } },
      );
      return rows.map(({ _id: { statusId, live }, ...figures }) => ({
        ...figures,
        statusId,
        disposed: !live,
      }));
    },

    /** The figures of the assets that are not disposed, for each value of a field. */
    async byField(workspaceId: string, field: ReportField, filter: AssetFilter): Promise<FiguresOf[]> {
      const by = { _id: `$${field}`, live: true };
      const rows = await group<string | null>(workspaceId, filter, selectionIndex(field), by);
      return rows.map(({ _id, count, cost, nbv }) => ({ id: _id ?? undefined, count, cost, nbv }));
    },
  };
}
