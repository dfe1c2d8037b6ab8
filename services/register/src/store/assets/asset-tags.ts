import { defineProjection } from "@asset-register/events";
import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import type { ProjectedTag } from "../../domain/assets/asset-tags.ts";
import { tagTypeNames } from "../../encode/asset.ts";

/** The tags, also free ones. */
export const assetTagProjection = defineProjection({
  topic: topics.tag,
  records: defineRecords<ProjectedTag>({
    collection: "asset_tags",
    name: "tag",
    fields: { assetId: String, type: String, epc: String, code: String },
    indexes: [{ name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } }],
  }),
  decode: ({ assetId, type, epc, code }) => ({
    ...{ assetId, epc, code },
    // Of a type that only a newer release knows, what is read shows how it is read.
    type: tagTypeNames.decode(type) ?? (epc === undefined ? "qr" : "rfid"),
  }),
  tombstone: "remove",
});

export function createAssetTagStore(mongo: Mongo) {
  const { find, getMany, project } = assetTagProjection.store(mongo);
  return {
    getMany,
    project,

    /** In order of id. */
    ofAssets: (workspaceId: string, assetIds: string[], session: ClientSession): Promise<ProjectedTag[]> =>
      find(workspaceId, { assetId: { $in: assetIds } }, { session, sort: { _id: 1 } }),
  };
}
