import { type Incoming, projectState } from "@asset-register/events";
import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import type { AssetMark } from "../domain/tag.ts";

type AssetDocument = TenantDocument & { gone?: boolean; archived?: boolean; touches?: number };

/** One asset's state as its event tells it. */
export type AssetState = Pick<Incoming, "workspaceId" | "epoch" | "sequence"> & AssetMark;

export type AssetStore = ReturnType<typeof createAssetStore>;

/** What tagging knows of assets, projected from their topic. */
export function createAssetStore(mongo: Mongo) {
  const assets = mongo.collection<AssetDocument>("assets");
  return {
    /**
     * Reads an asset's row and writes to it, so that commissioning a tag and the
     * end of the asset can't pass each other unseen. Makes the row when the
     * event of an asset that exists has not come yet.
     */
    async touch(workspaceId: string, id: string, session: ClientSession): Promise<AssetMark> {
      const row = await assets.findOneAndUpdate(
        { workspaceId, _id: id },
        { $inc: { touches: 1 } },
        { session, upsert: true, returnDocument: "after" },
      );
      return { id, gone: row?.gone === true, archived: row?.archived === true };
    },
    /** `gone` stays once it was said: a row that is gone is a mark for ever. */
    async project(states: readonly AssetState[]): Promise<void> {
      await projectState(
        assets,
        states.map(({ workspaceId, id, epoch, sequence, gone, archived }) => ({
          workspaceId,
          _id: id,
          epoch,
          sequence,
          set: gone ? { gone: true, archived } : { archived },
        })),
      );
    },
  };
}
