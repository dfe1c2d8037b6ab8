import type { ClientSession, Mongo } from "@asset-register/mongo";
import { assetRecords } from "./asset-records.ts";

export function createAssetImageStore(mongo: Mongo) {
  const { collection: assets } = assetRecords.store(mongo);
  return {
    /** Which of these blobs are images, also of deleted assets. */
    async referencedBlobs(workspaceId: string, ids: string[]): Promise<string[]> {
      const found = assets.find(
        { workspaceId, "image.blobId": { $in: ids } },
        { projection: { _id: 0, "image.blobId": 1 } },
      );
      return (await found.toArray()).flatMap(({ image }) => image?.blobId ?? []);
    },

    /** Whether the asset has this image. Other writes of the asset wait until the transaction ends. */
    async lock(
      workspaceId: string,
      assetId: string,
      blobId: string,
      session: ClientSession,
    ): Promise<boolean> {
      const filter = { _id: assetId, workspaceId, deleted: false, "image.blobId": blobId };
      const { matchedCount } = await assets.updateOne(filter, [{ $set: { imageScaledAt: "$$NOW" } }], {
        session,
      });
      return matchedCount === 1;
    },
  };
}
