import { type Incoming, projectState } from "@asset-register/events";
import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import type { AssetMark } from "../domain/tag.ts";

type AssetDocument = TenantDocument & { gone?: boolean; touches?: number };

/** An asset's state and the sequence of the event that carried it. */
export type AssetState = Pick<Incoming, "workspaceId" | "epoch" | "sequence"> & AssetMark;

/** A projection of `asset` events. */
export function createAssetStore(mongo: Mongo) {
  const collection = mongo.collection<AssetDocument>("assets");
  return {
    /**
     * Reads the row of an asset and also writes to it. So a transaction that binds a tag conflicts with one that marks
     * the asset as gone. Creates the row when the first event of the asset has not arrived.
     */
    async touch(workspaceId: string, id: string, session: ClientSession): Promise<AssetMark> {
      const row = await collection.findOneAndUpdate(
        { workspaceId, _id: id },
        { $inc: { touches: 1 } },
        { session, upsert: true, returnDocument: "after" },
      );
      return { id, gone: row?.gone === true };
    },

    /** Whether an asset is known as disposed or deleted. */
    async isGone(workspaceId: string, id: string): Promise<boolean> {
      const row = await collection.findOne({ workspaceId, _id: id });
      return row?.gone === true;
    },

    /** Stores the states that are newer than what is stored. `gone` is never reset. */
    async project(states: readonly AssetState[]): Promise<void> {
      await projectState(
        collection,
        states.map(({ workspaceId, id, epoch, sequence, gone }) => ({
          ...{ workspaceId, _id: id, epoch, sequence },
          set: gone ? { gone } : {},
        })),
      );
    },
  };
}
