import { defineProjection } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";
import { OrganisationKind } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { topics } from "@asset-register/proto/topics";

type KnownCategory = { id: string; workspaceId: string; deleted: boolean };

/** Which categories exist. */
export const categoryProjection = defineProjection({
  topic: topics.organisation,
  records: defineRecords<KnownCategory>({
    ...{ collection: "categories", name: "category", fields: { deleted: Boolean }, indexes: [] },
  }),
  decode: ({ kind, deletedAt }) =>
    kind === OrganisationKind.CATEGORY ? { deleted: deletedAt !== undefined } : undefined,
  // It does not say the kind. To remove an id that is no category has no effect.
  tombstone: "remove",
});

export function createCategoryStore(mongo: Mongo) {
  const { collection, project } = categoryProjection.store(mongo);
  return {
    project,

    async has(workspaceId: string, id: string): Promise<boolean> {
      return (await collection.countDocuments({ workspaceId, _id: id, deleted: false })) > 0;
    },
  };
}
