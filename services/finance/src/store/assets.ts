import { projectState } from "@asset-register/events";
import {
  type ClientSession,
  defineRecords,
  embeddedActor,
  type Mongo,
  retryOnDuplicateKey,
} from "@asset-register/mongo";
import type { KnownAsset } from "../domain/asset.ts";

/** An asset's state and the sequence of the event that carried it. */
export type AssetState = { workspaceId: string; epoch: number; sequence: number; asset: KnownAsset };

export const assetRecords = defineRecords<
  KnownAsset & { workspaceId: string },
  { sourceEpoch: number; sourceSequence: number; touches?: number }
>({
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
  beside: { sourceEpoch: Number, sourceSequence: Number, touches: Number },
  indexes: [{ name: "page", key: { workspaceId: 1, _id: 1 } }],
});

/** A projection of `asset` events. Rows of disposed and deleted assets are kept. */
export function createAssetStore(mongo: Mongo) {
  const { collection, find, get, getMany } = assetRecords.store(mongo);

  return {
    get,
    getMany,

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

    /** Stores the states that are newer than what is stored. */
    async project(states: readonly AssetState[]): Promise<void> {
      await projectState(
        collection,
        states.map(({ workspaceId, epoch, sequence, asset: { id, ...set } }) => ({
          ...{ workspaceId, _id: id, epoch, sequence, set },
        })),
      );
    },

    /**
     * Stores assets as register has answered them, if their rev is higher than the stored one. The epoch stays that of
     * the newest event: the answer carries none.
     */
    async projectAnswer(workspaceId: string, assets: readonly KnownAsset[]): Promise<void> {
      if (assets.length === 0) return;
      const operations = assets.map(({ id, ...asset }) => ({
        updateOne: {
          filter: { workspaceId, _id: id },
          update: [
            {
              $replaceWith: {
                $cond: [
                  { $lt: [{ $ifNull: ["$sourceSequence", -1] }, asset.rev] },
                  {
                    $mergeObjects: [
                      "$$ROOT",
                      // The driver stores undefined as null, which replaces an earlier value.
                      { $literal: { ...asset, sourceSequence: asset.rev } },
                      { sourceEpoch: { $ifNull: ["$sourceEpoch", 0] } },
                    ],
                  },
                  "$$ROOT",
                ],
              },
            },
            // The tenant guard requires workspaceId again after a replacement.
            { $set: { workspaceId } },
          ],
          upsert: true as const,
        },
      }));
      await retryOnDuplicateKey(() => collection.bulkWrite(operations, { ordered: true }));
    },
  };
}
