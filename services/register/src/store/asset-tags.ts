import { projectState } from "@asset-register/events";
import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { ProjectedTag, TagChange } from "../domain/asset-tags.ts";

export const assetTagRecords = defineRecords<ProjectedTag>({
  collection: "asset_tags",
  name: "tag",
  fields: { assetId: String, type: String, epc: String, code: String },
  indexes: [{ name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } }],
});

/** A projection of `tag` events. */
export function createAssetTagStore(mongo: Mongo) {
  const { collection, getMany, find } = assetTagRecords.store(mongo);
  return {
    getMany,

    /** In order of id. */
    ofAssets: (workspaceId: string, assetIds: string[], session: ClientSession): Promise<ProjectedTag[]> =>
      find(workspaceId, { assetId: { $in: assetIds } }, { session, sort: { _id: 1 } }),

    /** Stores the states that are newer than what is stored. */
    async project(changes: readonly TagChange[], session: ClientSession): Promise<void> {
      const within: Parameters<typeof projectState>[0] = {
        bulkWrite: (operations, options) => collection.bulkWrite(operations, { ...options, session }),
      };
      await projectState(
        within,
        changes.map(({ workspaceId, tagId, epoch, sequence, tag }) => ({
          ...{ workspaceId, _id: tagId, epoch, sequence },
          set: tag && { assetId: tag.assetId, type: tag.type, epc: tag.epc, code: tag.code },
        })),
      );
    },
  };
}
