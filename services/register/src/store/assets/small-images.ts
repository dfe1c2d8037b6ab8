import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { SmallImage } from "../../domain/assets/small-image.ts";

/** The small image of an asset's image, by the id of the asset. */
export type SmallImageRow = {
  id: string;
  workspaceId: string;
  /** The image from which it was made. */
  blobId: string;
  /** Both are absent if the image cannot be decoded. */
  content?: Buffer | undefined;
  sha256?: string | undefined;
};

const smallImageRecords = defineRecords<SmallImageRow>({
  collection: "small_images",
  name: "small image",
  fields: { blobId: String, content: Buffer, sha256: String },
  indexes: [],
});

export function createSmallImageStore(mongo: Mongo) {
  const { collection } = smallImageRecords.store(mongo);
  return {
    async get(workspaceId: string, assetId: string): Promise<SmallImageRow | undefined> {
      const found = await collection.findOne({ workspaceId, _id: assetId }, { promoteBuffers: true });
      return found === null ? undefined : { ...found, id: found._id };
    },

    /** Stores what was made of an image: undefined if it cannot be decoded. */
    async set(
      workspaceId: string,
      assetId: string,
      blobId: string,
      made: SmallImage | undefined,
      session: ClientSession,
    ): Promise<void> {
      const small = made && { content: Buffer.from(made.content), sha256: made.sha256 };
      await collection.replaceOne(
        { _id: assetId, workspaceId },
        { workspaceId, blobId, ...small },
        { upsert: true, session },
      );
    },

    async remove(workspaceId: string, assetId: string, session: ClientSession): Promise<void> {
      await collection.deleteOne({ _id: assetId, workspaceId }, { session });
    },
  };
}
