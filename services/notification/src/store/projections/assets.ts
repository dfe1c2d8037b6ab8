import { defineProjection } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";
import { topics } from "@asset-register/proto/topics";
import type { AssetFacts } from "../../domain/alert-rules/meaning.ts";

type AssetProjection = AssetFacts & {
  id: string;
  workspaceId: string;
  deleted: boolean;
  disposed?: boolean | undefined;
};

/** Category, location and status of each asset. */
export const assetProjection = defineProjection({
  topic: topics.asset,
  records: defineRecords<AssetProjection>({
    collection: "assets",
    name: "asset",
    fields: { categoryId: String, locationId: String, statusId: String, deleted: Boolean, disposed: Boolean },
    indexes: [],
  }),
  decode: ({ categoryId, locationId, statusId, deletedAt, disposed }) => ({
    ...{ categoryId, locationId, statusId: statusId || undefined },
    ...{ deleted: deletedAt !== undefined, disposed: disposed !== undefined },
  }),
  tombstone: "remove",
});

/** An asset that is projected. `gone`: it is deleted or disposed of. */
export type ProjectedAsset = AssetFacts & { gone: boolean };

export function createAssetStore(mongo: Mongo) {
  const { getMany, project } = assetProjection.store(mongo);
  return {
    project,

    /** The assets that are projected, by id. A deleted asset has no place and no status. */
    async getMany(workspaceId: string, ids: string[]): Promise<Map<string, ProjectedAsset>> {
      const found = await getMany(workspaceId, ids);
      return new Map(
        [...found.values()].map(({ id, deleted, disposed = false, categoryId, locationId, statusId }) => [
          id,
          deleted ? { gone: true } : { categoryId, locationId, statusId, gone: disposed },
        ]),
      );
    },
  };
}
