import type { Mongo } from "@asset-register/mongo";
import type { CategoryFigures } from "../../domain/reports/daily-value.ts";
import type { Day } from "../../domain/reports/day.ts";
import { LIVE_INDEX } from "../assets/asset-indexes.ts";
import { assetRecords } from "../assets/asset-records.ts";
import { movementRecords } from "../custody/movements.ts";
import type { MovementPosition } from "./value-days.ts";

type Figures = Pick<CategoryFigures, "categoryId" | "count" | "cost" | "nbv">;
type Moves = Pick<CategoryFigures, "categoryId" | "movements">;

/** Counts the assets and movements of a day, a range at a time. */
export function createValueCountStore(mongo: Mongo) {
  const assets = assetRecords.store(mongo).collection;
  const movements = movementRecords.store(mongo).collection;
  return {
    /** The next assets in order of id that the day has, neither deleted nor disposed. `last` is missing at the end. */
    async assets(
      workspaceId: string,
      { until }: Pick<Day, "until">,
      after: string,
      limit: number,
    ): Promise<{ parts: Figures[]; read: number; last: string | undefined }> {
      type Row = { _id: string | null; count: number; cost: number; nbv: number; read: number; last: string };
      const ofDay = { $lte: ["$createdAt", until] };
      const sumOf = (value: unknown) => ({ $sum: { $cond: [ofDay, value, 0] } });
      const rows = await assets
        .aggregate<Row>(
          [
            { $match: { workspaceId, live: true, _id: { $gt: after } } },
            { $sort: { _id: 1 } },
            { $limit: limit },
            {
              $group: {
                _id: "$categoryId",
                ...{ count: sumOf(1), cost: sumOf("$cost"), nbv: sumOf("$nbv") },
                ...{ read: { $sum: 1 }, last: { $max: "$_id" } },
              },
            },
          ],
          { hint: LIVE_INDEX },
        )
        .toArray();
      const read = rows.reduce((sum, row) => sum + row.read, 0);
      const last = rows
        .map((row) => row.last)
        .toSorted()
        .at(-1);
      const parts = rows
        .filter(({ count }) => count > 0)
        .map(({ _id, count, cost, nbv }) => ({ categoryId: _id ?? undefined, count, cost, nbv }));
      return { parts, read, last: read < limit ? undefined : last };
    },

    /** The next movements of the day, by the category that their assets have now. `last` is missing at the end. */
    async movements(
      workspaceId: string,
      { from, until }: Pick<Day, "from" | "until">,
      after: MovementPosition | undefined,
      limit: number,
    ): Promise<{ parts: Moves[]; read: number; last: MovementPosition | undefined }> {
      const rest = after && {
        $or: [{ at: after.at, _id: { $gt: after.id } }, { at: { $gt: after.at } }],
      };
      const found = await movements
        .find(
          { workspaceId, at: { $gte: after?.at ?? from, $lte: until }, ...rest },
          { projection: { at: 1, assetId: 1 }, sort: { at: 1, _id: 1 }, limit, hint: "day" },
        )
        .toArray();
      const ids = [...new Set(found.map(({ assetId }) => assetId))];
      const moved = await assets
        .find({ workspaceId, _id: { $in: ids } }, { projection: { categoryId: 1 } })
        .toArray();
      const categories = new Map(moved.map(({ _id, categoryId }) => [_id, categoryId]));
      const parts = found.map(({ assetId }) => ({ categoryId: categories.get(assetId), movements: 1 }));
      const end = found.at(-1);
      const last = found.length < limit || !end ? undefined : { at: end.at, id: end._id };
      return { parts, read: found.length, last };
    },

    /** Whether an asset was there when the day ended. An id begins with the time of its creation. */
    async hasAssets(workspaceId: string, { until }: Pick<Day, "until">): Promise<boolean> {
      const first = await assets.findOne(
        { workspaceId, deleted: false },
        { projection: { createdAt: 1 }, sort: { _id: 1 } },
      );
      return first !== null && first.createdAt <= until;
    },
  };
}
