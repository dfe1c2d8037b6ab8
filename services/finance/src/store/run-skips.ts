import { defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { ofRunAsset, type RunSkip } from "../domain/run-line.ts";
import { runRowWrites } from "./run-rows.ts";

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
    /** `total` is the number that the run has counted. */
    list: (workspaceId: string, runId: string, page: PageQuery, total: number): Promise<Page<RunSkip>> =>
      list(workspaceId, page, { filter: { runId }, total: async () => total }),

    listOfAsset: (
      workspaceId: string,
      runId: string,
      assetId: string,
      page: PageQuery,
    ): Promise<Page<RunSkip>> =>
      list(workspaceId, page, { filter: { _id: ofRunAsset(runId, assetId), runId }, countCacheMs: 0 }),

    first: (workspaceId: string, runId: string, limit: number): Promise<RunSkip[]> =>
      find(workspaceId, { runId }, { sort: { _id: 1 }, limit }),

    ofAssets: (workspaceId: string, runId: string, assetIds: readonly string[]): Promise<RunSkip[]> =>
      find(workspaceId, { _id: { $in: assetIds.map((assetId) => ofRunAsset(runId, assetId)) } }),

    ...runRowWrites<RunSkip>(mongo, runSkipRecords.collection),
  };
}
