import { type Incoming, projectState } from "@asset-register/events";
import type { Mongo, TenantDocument } from "@asset-register/mongo";

/** `enterprise` is absent in rows that were projected before it was. */
export type WorkspaceDocument = TenantDocument & { disabled: boolean; enterprise?: boolean };

/** A workspace's state and the sequence of the event that carried it. */
export type WorkspaceState = Pick<Incoming, "workspaceId" | "epoch" | "sequence"> & {
  disabled: boolean;
  /** The plan, which sets the quota of events. */
  enterprise: boolean;
};

/** A projection of `workspace` events. Only the look-up of credentials reads it. */
export function createWorkspaceStore(mongo: Mongo) {
  const collection = mongo.collection<WorkspaceDocument>("workspaces");
  return {
    /** Stores the states that are newer than what is stored. */
    async project(states: readonly WorkspaceState[]): Promise<void> {
      await projectState(
        collection,
        states.map(({ workspaceId, epoch, sequence, ...set }) => ({
          ...{ workspaceId, _id: workspaceId, epoch, sequence, set },
        })),
      );
    },
  };
}
