import { projectState } from "@asset-register/events";
import {
  type ClientSession,
  type defineRecords,
  type Mongo,
  retryOnDuplicateKey,
  type TenantDocument,
} from "@asset-register/mongo";
import type { KnownAsset } from "../domain/asset.ts";

/** A row that only a transaction has touched has no sequence: its asset is not known. */
type AssetDocument = TenantDocument &
  Partial<Nullable<Omit<KnownAsset, "id">>> & { sourceSequence?: number; touches?: number };

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** An asset's state and the sequence of the event that carried it. */
export type AssetState = { workspaceId: string; epoch: number; sequence: number; asset: KnownAsset };

export const assetRecords: Pick<
  ReturnType<typeof defineRecords<KnownAsset & { workspaceId: string }>>,
  "collection" | "indexes"
> = {
  collection: "assets",
  indexes: [{ name: "page", key: { workspaceId: 1, _id: 1 } }],
};

/** A projection of `asset` events. Rows of disposed and deleted assets are kept. */
export function createAssetStore(mongo: Mongo) {
  const collection = mongo.collection<AssetDocument>(assetRecords.collection);

  return {
    /** The asset, or undefined if none of its events has arrived. */
    async get(workspaceId: string, id: string, session?: ClientSession): Promise<KnownAsset | undefined> {
      const row = await collection.findOne({ workspaceId, _id: id }, session && { session });
      return row === null ? undefined : toAsset(row);
    },

    /** The known ones of some assets, by id. */
    async getMany(
      workspaceId: string,
      ids: readonly string[],
      session?: ClientSession,
    ): Promise<Map<string, KnownAsset>> {
      const filter = { workspaceId, _id: { $in: [...new Set(ids)] } };
      const rows = await collection.find(filter, session && { session }).toArray();
      return new Map(rows.flatMap((row) => toAsset(row) ?? []).map((asset) => [asset.id, asset]));
    },

    /** Known assets in order of id, also disposed and deleted ones. */
    async page(
      workspaceId: string,
      { after, limit }: { after: string | undefined; limit: number },
    ): Promise<KnownAsset[]> {
      const rows = await collection
        .find({ workspaceId, ...(after !== undefined && { _id: { $gt: after } }) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return rows.flatMap((row) => toAsset(row) ?? []);
    },

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
        states.map(({ workspaceId, epoch, sequence, asset }) => ({
          ...{ workspaceId, _id: asset.id, epoch, sequence, set: toFields(asset) },
        })),
      );
    },

    /**
     * Stores assets as register has answered them, if their rev is higher than the stored one. The epoch stays that of
     * the newest event: the answer carries none.
     */
    async projectAnswer(workspaceId: string, assets: readonly KnownAsset[]): Promise<void> {
      if (assets.length === 0) return;
      const operations = assets.map((asset) => ({
        updateOne: {
          filter: { workspaceId, _id: asset.id },
          update: [
            {
              $replaceWith: {
                $cond: [
                  { $lt: [{ $ifNull: ["$sourceSequence", -1] }, asset.rev] },
                  {
                    $mergeObjects: [
                      "$$ROOT",
                      { $literal: { ...toFields(asset), sourceSequence: asset.rev } },
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

/** Null replaces the value of an earlier event. */
function toFields({ id: _, ...asset }: KnownAsset): Nullable<Omit<Required<KnownAsset>, "id">> {
  return {
    categoryId: asset.categoryId ?? null,
    cost: asset.cost ?? null,
    salvageValue: asset.salvageValue ?? null,
    usefulLifeMonths: asset.usefulLifeMonths ?? null,
    inServiceDate: asset.inServiceDate ?? null,
    depreciationMethod: asset.depreciationMethod ?? null,
    statusKey: asset.statusKey ?? null,
    disposal: asset.disposal ?? null,
    deletedAt: asset.deletedAt ?? null,
    updatedBy: asset.updatedBy ?? null,
    rev: asset.rev,
  };
}

function toAsset(row: AssetDocument): KnownAsset | undefined {
  if (row.sourceSequence === undefined) return undefined;
  return {
    id: row._id,
    categoryId: row.categoryId ?? undefined,
    cost: row.cost ?? undefined,
    salvageValue: row.salvageValue ?? undefined,
    usefulLifeMonths: row.usefulLifeMonths ?? undefined,
    inServiceDate: row.inServiceDate ?? undefined,
    depreciationMethod: row.depreciationMethod ?? undefined,
    statusKey: row.statusKey ?? undefined,
    disposal: row.disposal ?? undefined,
    deletedAt: row.deletedAt ?? undefined,
    updatedBy: row.updatedBy ?? undefined,
    rev: row.rev ?? row.sourceSequence,
  };
}
