import { defineProjection } from "@asset-register/events";
import { type ClientSession, defineRecords, type Mongo, setOrUnset } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import { decodeAsset } from "../decode/consumed.ts";
import type { AssetDowntime, KnownAsset } from "../domain/assets/asset.ts";

/** The assets. Rows of disposed and deleted ones are kept. A transaction may touch a row before the asset is known. */
export const assetProjection = defineProjection({
  topic: topics.asset,
  records: defineRecords<KnownAsset & { workspaceId: string }, Partial<AssetDowntime> & { touches?: number }>(
    {
      collection: "assets",
      name: "asset",
      fields: { name: String, categoryId: String, disposed: Boolean, deleted: Boolean },
      beside: { touches: Number, downOrders: Number, downSince: Date, downtimeMs: Number },
      indexes: [{ name: "category", key: { workspaceId: 1, categoryId: 1, _id: 1 } }],
    },
  ),
  decode: decodeAsset,
  // A deleted asset. Its name stays, since its records still answer.
  tombstone: { disposed: false, deleted: true },
});

export function createAssetStore(mongo: Mongo) {
  const { collection, get, getMany, project, toRecord } = assetProjection.store(mongo);
  return {
    get,
    getMany,
    project,

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
      return { asset: row === null ? undefined : toRecord(row), downtime: toDowntime(row) };
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
      return getMany(workspaceId, ids, session);
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
  };
}

const toDowntime = (row: Partial<AssetDowntime> | null): AssetDowntime => ({
  downOrders: row?.downOrders ?? 0,
  downSince: row?.downSince,
  downtimeMs: row?.downtimeMs ?? 0,
});
