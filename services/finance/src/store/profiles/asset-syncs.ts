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
  appliedAt?: Date | undefined;
  /** The runs whose posting waits for it, each since its first attempt. */
  awaitedBy?: { runId: string; since: Date }[] | undefined;
};

export type AssetSyncDocument = WorkDocument<AssetSync>;

export const assetSyncRecords = defineWorkRecords<AssetSync>({
  collection: "asset_syncs",
  name: "application of changes",
  fields: {
    appliedAt: Date,
    awaitedBy: { type: [embedded({ runId: String, since: Date })], default: undefined },
  },
  indexes: [],
});

/** After this time, an attempt to post a run is a new one. */
const AWAITED_MS = 120_000;
/** How long an application counts after its end. Callers are told to retry after 2 s. */
const USABLE_MS = 15_000;

export function createAssetSyncStore(mongo: Mongo) {
  const { collection, get } = assetSyncRecords.store(mongo);
  return {
    /**
     * Begins the application of what register has changed until now, for a run to be posted. One that an earlier attempt
     * to post the run has begun counts, if it goes on or has ended just now: otherwise attempts would never end where it
     * takes longer than a call.
     */
    async beginFor(workspaceId: string, runId: string, now: Date): Promise<void> {
      const sync = await get(workspaceId, workspaceId);
      const isWithin = (ms: number, time: Date | undefined) => now.getTime() - (time?.getTime() ?? 0) < ms;
      const isUsable = sync?.status === "applying" || isWithin(USABLE_MS, sync?.appliedAt);
      const awaitedBy = sync?.awaitedBy?.filter(({ since }) => isWithin(AWAITED_MS, since)) ?? [];
      if (isUsable && awaitedBy.some((one) => one.runId === runId)) return;
      const others = awaitedBy.filter((one) => one.runId !== runId);
      const progress = { done: 0, total: 0 };
      // Begins again: a work that is going on may have read its last page before this moment.
      const begun = { status: "applying" as const, progress, ...unclaimed };
      await retryOnDuplicateKey(() =>
        collection.updateOne(
          { workspaceId, _id: workspaceId },
          { $set: { ...begun, awaitedBy: [...others, { runId, since: now }] } },
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
