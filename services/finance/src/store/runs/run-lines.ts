import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Carry } from "../../domain/ledger/ledger.ts";
import type { RunLine } from "../../domain/runs/run-line.ts";
import { runRowLists, runRowWrites } from "./run-rows.ts";

export const runLineRecords = defineRecords<RunLine>({
  collection: "run_lines",
  name: "line",
  fields: {
    runId: String,
    assetId: String,
    profileId: String,
    categoryId: String,
    period: String,
    kind: String,
    openingNbv: Number,
    amount: Number,
    closingNbv: Number,
    causeId: String,
    units: Number,
    inputs: Object,
    fingerprint: String,
    carry: Object,
  },
  // The id contains the run, the asset and the number of the line, so it is the order by asset and month.
  indexes: [{ name: "list", key: { workspaceId: 1, runId: 1, _id: 1 } }],
});

/** The lines of runs. */
export function createRunLineStore(mongo: Mongo) {
  const { collection, find, list } = runLineRecords.store(mongo);

  const after = (workspaceId: string, runId: string, id: string, limit: number): Promise<RunLine[]> =>
    find(workspaceId, { runId, _id: { $gt: id } }, { sort: { _id: 1 }, limit });

  return {
    ...runRowLists<RunLine>(list, idsOfAsset),

    /**
     * About `limit` lines after a line, in order. The lines of an asset are never divided.
     */
    async page(workspaceId: string, runId: string, id: string, limit: number): Promise<RunLine[]> {
      const lines = await after(workspaceId, runId, id, limit);
      const last = lines.at(-1);
      if (last === undefined || lines.length < limit) return lines;
      const rest = await find(
        workspaceId,
        { runId, _id: { $gt: last.id, $lt: endOfAsset(runId, last.assetId) } },
        { sort: { _id: 1 } },
      );
      return [...lines, ...rest];
    },

    /** The lines of some assets. */
    ofAssets: (
      workspaceId: string,
      runId: string,
      assetIds: readonly string[],
      session?: ClientSession,
    ): Promise<RunLine[]> =>
      find(workspaceId, { runId, $or: assetIds.map((assetId) => ofAsset(runId, assetId)) }, { session }),

    /** The lines of an asset in some runs. */
    async ofAssetInRuns(workspaceId: string, assetId: string, runIds: readonly string[]): Promise<RunLine[]> {
      if (runIds.length === 0) return [];
      const each = runIds.map((runId) => ({ runId, ...ofAsset(runId, assetId) }));
      return await find(workspaceId, { $or: each }, { sort: { _id: 1 } });
    },

    /** The carries of the profiles of some assets once the lines of the run are posted, by asset. */
    async carriesOf(
      workspaceId: string,
      runId: string,
      assetIds: readonly string[],
      session?: ClientSession,
    ): Promise<Map<string, Carry>> {
      if (assetIds.length === 0) return new Map();
      const ranges = assetIds.map((assetId) => ofAsset(runId, assetId));
      const rows = await collection
        .find({ workspaceId, runId, $or: ranges, carry: { $exists: true } }, session && { session })
        .project<{ assetId: string; carry: Carry }>({ assetId: 1, carry: 1 })
        .toArray();
      return new Map(rows.map(({ assetId, carry }) => [assetId, carry]));
    },

    ...runRowWrites<RunLine>(mongo, runLineRecords.collection),
  };
}

const endOfAsset = (runId: string, assetId: string): string => `${runId}:${assetId};`;

const idsOfAsset = (runId: string, assetId: string) => ({
  $gt: `${runId}:${assetId}:`,
  $lt: endOfAsset(runId, assetId),
});

const ofAsset = (runId: string, assetId: string) => ({ _id: idsOfAsset(runId, assetId) });
