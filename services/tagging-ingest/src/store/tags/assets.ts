import { defineProjection } from "@asset-register/events";
import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import type { AssetMark } from "../../domain/tags/tag.ts";

/** `gone` is absent before the asset is. */
export type KnownAsset = { id: string; workspaceId: string; gone?: boolean };

/** Which assets are disposed of or deleted. This is never reset. */
export const assetProjection = defineProjection({
  topic: topics.asset,
  records: defineRecords<KnownAsset, { touches: number }>({
    ...{
      collection: "assets",
      name: "asset",
      fields: { gone: Boolean },
      beside: { touches: Number },
      indexes: [],
    },
  }),
  decode: ({ deletedAt, disposed }) =>
    deletedAt !== undefined || disposed !== undefined ? { gone: true } : {},
  tombstone: { gone: true },
});

export function createAssetStore(mongo: Mongo) {
  const { collection, project } = assetProjection.store(mongo);
  return {
    project,

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

    /** The same for many assets. Returns those that are gone. */
    async touchMany(
      workspaceId: string,
      ids: readonly string[],
      session: ClientSession,
    ): Promise<Set<string>> {
      await collection.bulkWrite(
        // In one order, so that two calls conflict at the first common row.
        [...ids].sort().map((_id) => ({
          updateOne: { filter: { workspaceId, _id }, update: { $inc: { touches: 1 } }, upsert: true },
        })),
        { session },
      );
      const gone = collection.find(
        { workspaceId, _id: { $in: [...ids] }, gone: true },
        { session, projection: { _id: 1 } },
      );
      return new Set((await gone.toArray()).map(({ _id }) => _id));
    },

    /** Whether an event of this asset has arrived, or a tag was bound to it. */
    async isKnown(workspaceId: string, id: string): Promise<boolean> {
      return (await collection.findOne({ workspaceId, _id: id }, { projection: { _id: 1 } })) !== null;
    },

    /** Whether an asset is known as disposed or deleted. */
    async isGone(workspaceId: string, id: string): Promise<boolean> {
      const row = await collection.findOne({ workspaceId, _id: id });
      return row?.gone === true;
    },
  };
}
