import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { ChangedAssets } from "../../domain/runs/run.ts";
import { ofRunAsset, type RunChangedAsset } from "../../domain/runs/run-line.ts";
import { runRowWrites } from "./run-rows.ts";

export const runChangeRecords = defineRecords<RunChangedAsset>({
  collection: "run_changes",
  name: "changed asset",
  fields: { runId: String, assetId: String, changes: Number },
  indexes: [{ name: "list", key: { workspaceId: 1, runId: 1, _id: 1 } }],
});

/**
 * The assets that changed while their run was computing, and that are to be computed again; of a draft those that made it
 * stale.
 */
export function createRunChangeStore(mongo: Mongo) {
  const { collection, find } = runChangeRecords.store(mongo);
  return {
    async add(
      workspaceId: string,
      runId: string,
      assetIds: Iterable<string>,
      session: ClientSession,
    ): Promise<void> {
      const raises = [...new Set(assetIds)].sort().map((assetId) => ({
        updateOne: {
          filter: { workspaceId, _id: ofRunAsset(runId, assetId) },
          update: { $inc: { changes: 1 }, $setOnInsert: { runId, assetId } },
          upsert: true,
        },
      }));
      if (raises.length > 0) await collection.bulkWrite(raises, { session });
    },

    first: (
      workspaceId: string,
      runId: string,
      limit: number,
      session?: ClientSession,
    ): Promise<RunChangedAsset[]> => find(workspaceId, { runId }, { sort: { _id: 1 }, limit, session }),

    /** The first assets, and the number of all. */
    async summary(
      workspaceId: string,
      runId: string,
      limit: number,
      session: ClientSession,
    ): Promise<ChangedAssets> {
      const first = await find(workspaceId, { runId }, { sort: { _id: 1 }, limit, session });
      const count = await collection.countDocuments({ workspaceId, runId }, { session });
      return { assetIds: first.map(({ assetId }) => assetId), count };
    },

    /** The first ones after an asset. */
    after: (workspaceId: string, runId: string, assetId: string, limit: number): Promise<RunChangedAsset[]> =>
      find(workspaceId, { runId, _id: { $gt: ofRunAsset(runId, assetId) } }, { sort: { _id: 1 }, limit }),

    /** Those of some assets. */
    ofAssets: (workspaceId: string, runId: string, assetIds: readonly string[]): Promise<RunChangedAsset[]> =>
      find(workspaceId, { runId, _id: { $in: assetIds.map((assetId) => ofRunAsset(runId, assetId)) } }),

    ...runRowWrites<RunChangedAsset>(mongo, runChangeRecords.collection),

    /** Removes those that have not changed again since they were read. */
    async removeUnchanged(
      workspaceId: string,
      rows: readonly RunChangedAsset[],
      session: ClientSession,
    ): Promise<void> {
      if (rows.length === 0) return;
      const removals = rows.map(({ id, changes }) => ({
        deleteOne: { filter: { workspaceId, _id: id, changes } },
      }));
      await collection.bulkWrite(removals, { session });
    },
  };
}
