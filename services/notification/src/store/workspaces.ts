import { type ProjectedState, projectState } from "@asset-register/events";
import { defineRecords, type Mongo } from "@asset-register/mongo";

type WorkspaceProjection = {
  id: string;
  workspaceId: string;
  disabled: boolean;
  timeZone?: string | undefined;
};

export const workspaceRecords = defineRecords<WorkspaceProjection>({
  collection: "workspaces",
  name: "workspace",
  fields: { disabled: Boolean, timeZone: String },
  indexes: [],
});

/** A projection of `workspace` events. */
export function createWorkspaceStore(mongo: Mongo) {
  const { collection, get } = workspaceRecords.store(mongo);
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(collection, states),

    /** Undefined before its first event has arrived. */
    get: (workspaceId: string): Promise<WorkspaceProjection | undefined> => get(workspaceId, workspaceId),

    /** False for a workspace whose first event has not arrived. */
    async isDisabled(workspaceId: string): Promise<boolean> {
      return (await collection.countDocuments({ workspaceId, _id: workspaceId, disabled: true })) > 0;
    },
  };
}
