import { type ProjectedState, projectState } from "@asset-register/events";
import { createRecordStore, defineRecords, type Mongo, type RecordDefinition } from "@asset-register/mongo";

type KnownId = { id: string; workspaceId: string; deleted: boolean };

const fields = { deleted: Boolean };

export const zoneRecords = defineRecords<KnownId>({ collection: "zones", name: "zone", fields, indexes: [] });

export const categoryRecords = defineRecords<KnownId>({
  ...{ collection: "categories", name: "category", fields, indexes: [] },
});

/** Which records of another service exist: a projection of its events. */
export function createKnownIdStore(mongo: Mongo, records: RecordDefinition<KnownId>) {
  const { collection } = createRecordStore(mongo, records);
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(collection, states),

    async has(workspaceId: string, id: string): Promise<boolean> {
      return (await collection.countDocuments({ workspaceId, _id: id, deleted: false })) > 0;
    },
  };
}
