import { completeWay, type Mongo } from "@asset-register/mongo";
import type { Call } from "@asset-register/rpc";
import type { Asset, AssetFilter } from "../../domain/assets/asset.ts";
import { toFilter } from "./asset-filter.ts";
import { type AssetListPlanner, createAssetListPlanner } from "./asset-list-plan.ts";
import { assetRecords } from "./asset-records.ts";

/** Rows that are in memory at once. */
const BATCH = 500;

/** Reads all assets that match, from a cursor. */
export function createAssetExportStore(
  mongo: Mongo,
  { plan }: Pick<AssetListPlanner, "plan"> = createAssetListPlanner(mongo),
) {
  const { collection, toRecord } = assetRecords.store(mongo);
  return {
    /**
     * Batches in order of id: each asset is in one at most. The query ends with the call, or when the reader stops.
     */
    async *read(
      workspaceId: string,
      filter: AssetFilter,
      { signal }: Pick<Call, "signal">,
    ): AsyncGenerator<Asset[]> {
      const selected = { ...filter, includeDeleted: false };
      const way = await completeWay(await plan(workspaceId, selected, "_id"));
      const cursor = collection.find(
        { ...(way.filter ?? toFilter(selected)), workspaceId },
        {
          ...{ projection: { tokens: 0 }, sort: { _id: 1 }, batchSize: BATCH, signal },
          ...(way.hint !== undefined && { hint: way.hint }),
        },
      );
      try {
        while (await cursor.hasNext()) yield cursor.readBufferedDocuments(BATCH).map(toRecord);
      } finally {
        await cursor.close();
      }
    },
  };
}
