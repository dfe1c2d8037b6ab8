import { type ProjectedState, projectState } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";

type KnownId = { id: string; workspaceId: string; deleted: boolean };

export const categoryRecords = defineRecords<KnownId>({
  ...{ collection: "categories", name: "category", fields: { deleted: Boolean }, indexes: [] },
});

/** Which categories exist: a projection of `organisation` events. */
export function createCategoryStore(mongo: Mongo) {
  const { collection } = categoryRecords.store(mongo);
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(collection, states),

    async has(workspaceId: string, id: string): Promise<boolean> {
      return (await collection.countDocuments({ workspaceId, _id: id, deleted: false })) > 0;
    },
  };
}
