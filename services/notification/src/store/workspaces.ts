import { type ProjectedState, projectState } from "@asset-register/events";
import { createRecordStore, defineRecords, type Mongo } from "@asset-register/mongo";

type WorkspaceProjection = { id: string; workspaceId: string; disabled: boolean };

export const workspaceRecords = defineRecords<WorkspaceProjection>({
  collection: "workspaces",
  name: "workspace",
  fields: { disabled: Boolean },
  indexes: [],
});

/** A projection of `workspace` events. */
export function createWorkspaceStore(mongo: Mongo) {
  const { collection } = createRecordStore(mongo, workspaceRecords);
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(collection, states),

    /** False for a workspace whose first event has not arrived. */
    async isDisabled(workspaceId: string): Promise<boolean> {
      return (await collection.countDocuments({ workspaceId, _id: workspaceId, disabled: true })) > 0;
    },
  };
}
