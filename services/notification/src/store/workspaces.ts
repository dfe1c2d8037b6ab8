import { type ProjectedState, projectState } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";

type WorkspaceDocument = { _id: string; workspaceId: string; disabled: boolean };

export type Workspaces = ReturnType<typeof createWorkspaces>;

/** What identity's events say of workspaces. */
export function createWorkspaces(mongo: Mongo) {
  const rows = mongo.collection<WorkspaceDocument>("workspaces");
  return {
    project: (states: ProjectedState[]): Promise<void> => projectState(rows, states),

    /** A workspace that nothing was heard of yet is not disabled. */
    async isDisabled(workspaceId: string): Promise<boolean> {
      const filter = { workspaceId, _id: workspaceId, disabled: true };
      return (await rows.countDocuments(filter)) > 0;
    },
  };
}
