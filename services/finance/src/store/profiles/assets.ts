import { defineProjection } from "@asset-register/events";
import { type ClientSession, defineRecords, embeddedActor, type Mongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { decodeAsset } from "../../decode/consumed.ts";
import type { KnownAsset } from "../../domain/profiles/asset.ts";

/** The assets. Rows of disposed and deleted ones are kept. */
export const assetProjection = defineProjection({
  topic: topics.asset,
  records: defineRecords<KnownAsset & { workspaceId: string }, { touches?: number }>({
    collection: "assets",
    name: "asset",
    fields: {
      categoryId: String,
      cost: Number,
      salvageValue: Number,
      usefulLifeMonths: Number,
      inServiceDate: String,
      depreciationMethod: String,
      statusKey: String,
      disposal: Object,
      deletedAt: Date,
      updatedBy: embeddedActor(),
      rev: Number,
    },
    beside: { touches: Number },
    indexes: [{ name: "page", key: { workspaceId: 1, _id: 1 } }],
  }),
  decode: (state, { statusKey }) => decodeAsset(state, statusKey),
  // It follows a state that says that the asset is deleted, so it adds nothing.
  tombstone: "ignore",
});

export function createAssetStore(mongo: Mongo) {
  const { collection, find, get, getMany, project } = assetProjection.store(mongo);

  return {
    get,
    getMany,
    project,

    /** Known assets in order of id, also disposed and deleted ones. */
    page: (
      workspaceId: string,
      { after, limit }: { after: string | undefined; limit: number },
    ): Promise<KnownAsset[]> =>
      find(workspaceId, after === undefined ? {} : { _id: { $gt: after } }, { sort: { _id: 1 }, limit }),

    /** About how many there are, with disposed and deleted ones: by the index alone, since there may be a million. */
    count: (workspaceId: string): Promise<number> => collection.countDocuments({ workspaceId }),

    /**
     * Writes to the rows of assets that are known. So of two transactions that make a rule about an asset true, for
     * example one that writes a profile and one that disposes of the asset, the later one sees the earlier one.
     */
    async touchMany(workspaceId: string, ids: readonly string[], session: ClientSession): Promise<void> {
      const filter = { workspaceId, _id: { $in: [...ids] } };
      await collection.updateMany(filter, { $inc: { touches: 1 } }, { session });
    },

    /** Stores assets as register has answered them. */
    projectAnswer: (workspaceId: string, assets: readonly KnownAsset[]): Promise<void> =>
      project(assets.map((asset) => ({ workspaceId, id: asset.id, sequence: asset.rev, fields: asset }))),
  };
}
