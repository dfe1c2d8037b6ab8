import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";

/** By the id of the asset. Small documents of their own, so that a page of assets reads only these. */
type ThumbnailDocument = TenantDocument & { content: Uint8Array };

export type Thumbnail = { assetId: string; content: Uint8Array };

export function createThumbnailStore(mongo: Mongo) {
  const thumbnails = mongo.collection<ThumbnailDocument>("thumbnails");
  return {
    /** In no order. */
    async getMany(workspaceId: string, assetIds: readonly string[]): Promise<Thumbnail[]> {
      const found = thumbnails.find({ workspaceId, _id: { $in: [...assetIds] } }, { promoteBuffers: true });
      return (await found.toArray()).map(({ _id, content }) => ({ assetId: _id, content }));
    },

    async set(
      workspaceId: string,
      assetId: string,
      content: Uint8Array,
      session: ClientSession,
    ): Promise<void> {
      await thumbnails.replaceOne(
        { _id: assetId, workspaceId },
        { workspaceId, content },
        { upsert: true, session },
      );
    },

    async remove(workspaceId: string, assetId: string, session: ClientSession): Promise<void> {
      await thumbnails.deleteOne({ _id: assetId, workspaceId }, { session });
    },
  };
}
