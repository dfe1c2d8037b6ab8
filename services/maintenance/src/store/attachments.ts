import { type ClientSession, defineRecords, embeddedActor, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Attachment } from "../domain/attachments/attachment.ts";

export const attachmentRecords = defineRecords<Attachment>({
  collection: "attachments",
  name: "attachment",
  fields: {
    assetId: String,
    name: String,
    description: String,
    contentType: String,
    bytes: Number,
    sha256: String,
    blobId: String,
    createdAt: Date,
    createdBy: embeddedActor(),
    rev: Number,
  },
  indexes: [
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    { name: "blob", key: { workspaceId: 1, blobId: 1 } },
  ],
});

export function createAttachmentStore(mongo: Mongo) {
  const { collection, get, insert, list } = attachmentRecords.store(mongo);
  return {
    insert,
    get,

    listOfAsset: (workspaceId: string, assetId: string, page: PageQuery): Promise<Page<Attachment>> =>
      list(workspaceId, page, { filter: { assetId } }),

    count: (workspaceId: string, assetId: string, session: ClientSession): Promise<number> =>
      collection.countDocuments({ workspaceId, assetId }, { session }),

    async remove(workspaceId: string, id: string, session: ClientSession): Promise<void> {
      await collection.deleteOne({ workspaceId, _id: id }, { session });
    },

    /** Which of these blobs are attachments. */
    async referencedBlobs(workspaceId: string, ids: string[]): Promise<string[]> {
      const found = collection.find({ workspaceId, blobId: { $in: ids } }, { projection: { blobId: 1 } });
      return (await found.toArray()).map(({ blobId }) => blobId);
    },
  };
}
