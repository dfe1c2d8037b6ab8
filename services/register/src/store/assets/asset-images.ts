import type { Mongo, RecordDocument } from "@asset-register/mongo";
import type { Asset } from "../../domain/assets/asset.ts";

export function createAssetImageStore(mongo: Mongo) {
  const assets = mongo.collection<RecordDocument<Asset>>("assets");
  return {
    /** Which of these blobs are images, also of deleted assets. */
    async referencedBlobs(workspaceId: string, ids: string[]): Promise<string[]> {
      const found = assets.find(
        { workspaceId, "image.blobId": { $in: ids } },
        { projection: { _id: 0, "image.blobId": 1 } },
      );
      return (await found.toArray()).flatMap(({ image }) => image?.blobId ?? []);
    },
  };
}
