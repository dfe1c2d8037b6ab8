import { defineRecords, type Mongo } from "@asset-register/mongo";
import { ofRunAsset, type RunSkip } from "../../domain/runs/run-line.ts";
import { runRowLists, runRowWrites } from "./run-rows.ts";

export const runSkipRecords = defineRecords<RunSkip>({
  collection: "run_skips",
  name: "skipped asset",
  fields: { runId: String, assetId: String, reason: String },
  // The id contains the run and the asset, so it is the order by asset.
  indexes: [{ name: "list", key: { workspaceId: 1, runId: 1, _id: 1 } }],
});

/** The assets of runs that have no line. */
export function createRunSkipStore(mongo: Mongo) {
  const { find, list } = runSkipRecords.store(mongo);
  return {
    ...runRowLists<RunSkip>(list, ofRunAsset),

    first: (workspaceId: string, runId: string, limit: number): Promise<RunSkip[]> =>
      find(workspaceId, { runId }, { sort: { _id: 1 }, limit }),

    ofAssets: (workspaceId: string, runId: string, assetIds: readonly string[]): Promise<RunSkip[]> =>
      find(workspaceId, { _id: { $in: assetIds.map((assetId) => ofRunAsset(runId, assetId)) } }),

    ...runRowWrites<RunSkip>(mongo, runSkipRecords.collection),
  };
}
