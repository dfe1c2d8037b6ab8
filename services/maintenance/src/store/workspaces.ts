import { projectState } from "@asset-register/events";
import { createRecordStore, defineRecords, type Mongo } from "@asset-register/mongo";
import type { WorkspaceProjection } from "../domain/workspace.ts";

const workspaceRecords = defineRecords<WorkspaceProjection>({
  collection: "workspaces",
  name: "workspace",
  fields: { active: Boolean, currency: String, timeZone: String },
  indexes: [],
});

/** A workspace's state and the sequence of the event that carried it. */
export type WorkspaceState = { epoch: number; sequence: number; workspace: WorkspaceProjection };

/** A projection of `workspace` events. */
export function createWorkspaceStore(mongo: Mongo) {
  const { collection, findOne } = createRecordStore(mongo, workspaceRecords);
  return {
    get: (workspaceId: string): Promise<WorkspaceProjection | undefined> =>
      findOne(workspaceId, { _id: workspaceId }),

    /** Stores the states that are newer than what is stored. */
    async project(states: WorkspaceState[]): Promise<void> {
      await projectState(
        collection,
        states.map(({ epoch, sequence, workspace: { id, workspaceId, ...set } }) => ({
          ...{ workspaceId, _id: id, epoch, sequence, set },
        })),
      );
    },
  };
}
