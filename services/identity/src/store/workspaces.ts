import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Workspace } from "../domain/workspace.ts";

/** `adminsRev` counts removals of admins. */
export type WorkspaceKeys = { adminsRev?: number };

export const workspaceRecords = defineRecords<Workspace, WorkspaceKeys>({
  collection: "workspaces",
  name: "workspace",
  fields: {
    name: String,
    status: String,
    plan: String,
    timeZone: String,
    currency: String,
    numberPrefix: String,
    fiscalYearStart: Number,
    requireMfa: Boolean,
    rev: Number,
    createdAt: Date,
    updatedAt: Date,
  },
  beside: { adminsRev: Number },
  indexes: [],
});

export function createWorkspaceStore(mongo: Mongo) {
  const { model, insert, save, get } = workspaceRecords.store(mongo);
  return {
    insert,
    save,

    get: (workspaceId: string, session?: ClientSession): Promise<Workspace | undefined> =>
      get(workspaceId, workspaceId, session),

    /**
     * Makes concurrent removals of admins conflict. They write different users, and snapshots would let both succeed,
     * so both write this document.
     */
    async lockAdmins(workspaceId: string, session: ClientSession): Promise<void> {
      await model.updateOne({ workspaceId, _id: workspaceId }, { $inc: { adminsRev: 1 } }, { session });
    },
  };
}
