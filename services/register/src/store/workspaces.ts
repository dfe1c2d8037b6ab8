import { projectState } from "@asset-register/events";
import type { Mongo } from "@asset-register/mongo";
import type { WorkspaceProjection } from "../domain/workspace.ts";

type WorkspaceDocument = {
  _id: string;
  workspaceId: string;
  active: boolean;
  time_zone: string;
  currency: string;
  number_prefix: string;
};

export type WorkspaceStore = ReturnType<typeof workspaceStore>;

/** A projection of `workspace` events. */
export function workspaceStore(mongo: Mongo) {
  const workspaces = mongo.collection<WorkspaceDocument>("workspaces");
  return {
    async get(workspaceId: string): Promise<WorkspaceProjection | undefined> {
      const row = await workspaces.findOne({ _id: workspaceId, workspaceId });
      if (!row) return undefined;
      return {
        id: row._id,
        active: row.active,
        timeZone: row.time_zone,
        currency: row.currency,
        numberPrefix: row.number_prefix,
      };
    },

    /** Stores states that are newer than what is there; older ones change nothing. */
    async project(
      states: { epoch: number; sequence: number; workspace: WorkspaceProjection }[],
    ): Promise<void> {
      await projectState(
        workspaces,
        states.map(({ epoch, sequence, workspace }) => ({
          workspaceId: workspace.id,
          _id: workspace.id,
          epoch,
          sequence,
          set: {
            active: workspace.active,
            time_zone: workspace.timeZone,
            currency: workspace.currency,
            number_prefix: workspace.numberPrefix,
          },
        })),
      );
    },
  };
}
