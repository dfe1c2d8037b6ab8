import {
  defineWorkRecords,
  embedded,
  type Mongo,
  retryOnDuplicateKey,
  unclaimed,
  type WorkDocument,
} from "@asset-register/mongo";

/** The application of register's newest changes of a workspace, for a run to be posted. Its id is that of the workspace. */
export type AssetSync = {
  id: string;
  workspaceId: string;
  status: "applying" | "applied";
  progress: { done: number; total: number };
  /** The runs whose posting waits for it, each since its first attempt. */
  awaitedBy?: { runId: string; since: Date }[] | undefined;
};

export type AssetSyncDocument = WorkDocument<AssetSync>;

export const assetSyncRecords = defineWorkRecords<AssetSync>({
  collection: "asset_syncs",
  name: "application of changes",
  fields: { awaitedBy: { type: [embedded({ runId: String, since: Date })], default: undefined } },
  indexes: [],
});

/** After this time, an attempt to post a run is a new one. */
const AWAITED_MS = 120_000;

export function createAssetSyncStore(mongo: Mongo) {
  const { collection, get } = assetSyncRecords.store(mongo);
  return {
    /**
     * Begins the application of what register has changed until now, for a run to be posted. If an attempt to post the run
     * has begun one already, that one counts: otherwise attempts would never end where it takes longer than a call.
     */
    async beginFor(workspaceId: string, runId: string, now: Date): Promise<void> {
      const live = ({ since }: { since: Date }) => now.getTime() - since.getTime() < AWAITED_MS;
      const awaitedBy = (await get(workspaceId, workspaceId))?.awaitedBy?.filter(live) ?? [];
      if (awaitedBy.some((one) => one.runId === runId)) return;
      const progress = { done: 0, total: 0 };
      // Begins again: a work that is going on may have read its last page before this moment.
      const begun = { status: "applying" as const, progress, ...unclaimed };
      await retryOnDuplicateKey(() =>
        collection.updateOne(
          { workspaceId, _id: workspaceId },
          { $set: { ...begun, awaitedBy: [...awaitedBy, { runId, since: now }] } },
          { upsert: true },
        ),
      );
    },

    /** Notes that the posting of a run waits no more: its next attempt begins again. */
    async endFor(workspaceId: string, runId: string): Promise<void> {
      await collection.updateOne({ workspaceId, _id: workspaceId }, { $pull: { awaitedBy: { runId } } });
    },
  };
}
