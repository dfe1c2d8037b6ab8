import { projectState } from "@asset-register/events";
import { type ClientSession, type Mongo, setOrUnset, type TenantDocument } from "@asset-register/mongo";
import type { AssetDowntime, KnownAsset } from "../domain/asset.ts";

/** A row that only a transaction has touched has no sequence: its asset is not known. */
type AssetDocument = TenantDocument &
  Partial<Omit<KnownAsset, "id"> & AssetDowntime> & { sourceSequence?: number; touches?: number };

/** An asset's state and the sequence of the event that carried it. */
export type AssetState = { workspaceId: string; epoch: number; sequence: number; asset: KnownAsset };

/** A projection of `asset` events. Rows of disposed and deleted assets are kept. */
export function createAssetStore(mongo: Mongo) {
  const collection = mongo.collection<AssetDocument>("assets");
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

    /**
     * Reads the row of an asset and also writes to it. So of two transactions that make a rule about the asset true,
     * for example one that adds work and one that disposes of it, the later one sees the earlier one.
     */
    async touch(
      workspaceId: string,
      id: string,
      session: ClientSession,
    ): Promise<{ asset: KnownAsset | undefined; downtime: AssetDowntime }> {
      const row = await collection.findOneAndUpdate(
        { workspaceId, _id: id },
        { $inc: { touches: 1 } },
        { session, upsert: true, returnDocument: "after" },
      );
      return { asset: row === null ? undefined : toAsset(row), downtime: toDowntime(row) };
    },

    /** `touch` for several assets. Returns the known ones, by id. */
    async touchMany(
      workspaceId: string,
      ids: readonly string[],
      session: ClientSession,
    ): Promise<Map<string, KnownAsset>> {
      const touches = [...new Set(ids)].map((_id) => ({
        updateOne: { filter: { workspaceId, _id }, update: { $inc: { touches: 1 } }, upsert: true },
      }));
      if (touches.length > 0) await collection.bulkWrite(touches, { session, ordered: false });
      const filter = { workspaceId, _id: { $in: [...ids] } };
      const rows = await collection.find(filter, { session }).toArray();
      return new Map(rows.flatMap((row) => toAsset(row) ?? []).map((asset) => [asset.id, asset]));
    },

    /** Assets of some categories, neither disposed nor deleted, in order of id. */
    async inCategories(
      workspaceId: string,
      categoryIds: readonly string[],
      { after, limit }: { after: string; limit: number },
    ): Promise<string[]> {
      const rows = await collection
        .find({
          ...{ workspaceId, categoryId: { $in: [...categoryIds] }, _id: { $gt: after } },
          ...{ disposed: false, deleted: false },
        })
        .project<{ _id: string }>({ _id: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return rows.map(({ _id }) => _id);
    },

    async getDowntime(workspaceId: string, id: string): Promise<AssetDowntime> {
      return toDowntime(await collection.findOne({ workspaceId, _id: id }));
    },

    /** Call `touch` in the same transaction before. */
    async setDowntime(
      workspaceId: string,
      id: string,
      { downOrders, downSince, downtimeMs }: AssetDowntime,
      session: ClientSession,
    ): Promise<void> {
      const change = setOrUnset({ downOrders, downSince, downtimeMs });
      await collection.updateOne({ workspaceId, _id: id }, change, { session });
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
  };
}

function toAsset(row: AssetDocument): KnownAsset | undefined {
  if (row.sourceSequence === undefined) return undefined;
  const { _id: id, name, categoryId, disposed = false, deleted = false } = row;
  return { id, name, categoryId: categoryId ?? undefined, disposed, deleted };
}

const toDowntime = (row: AssetDocument | null): AssetDowntime => ({
  downOrders: row?.downOrders ?? 0,
  downSince: row?.downSince,
  downtimeMs: row?.downtimeMs ?? 0,
});
