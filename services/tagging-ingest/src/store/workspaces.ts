import { type Incoming, projectState } from "@asset-register/events";
import type { Mongo, TenantDocument } from "@asset-register/mongo";

export type WorkspaceDocument = TenantDocument & { disabled: boolean };

/** One workspace's state as its event tells it. */
export type WorkspaceState = Pick<Incoming, "workspaceId" | "epoch" | "sequence"> & { disabled: boolean };

export type WorkspaceStore = ReturnType<typeof createWorkspaceStore>;

/** What tagging knows of workspaces, projected from their topic. */
export function createWorkspaceStore(mongo: Mongo) {
  const workspaces = mongo.collection<WorkspaceDocument>("workspaces");
  return {
    async project(states: readonly WorkspaceState[]): Promise<void> {
      await projectState(
        workspaces,
        states.map(({ workspaceId, epoch, sequence, disabled }) => ({
          workspaceId,
          _id: workspaceId,
          epoch,
          sequence,
          set: { disabled },
        })),
      );
    },
  };
}
