import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";

type WorkspaceLimits = { id: string; workspaceId: string; rev: number };

export const workspaceLimitRecords = defineRecords<WorkspaceLimits>({
  collection: "workspace_limits",
  name: "limit",
  fields: { rev: Number },
  // The index also creates the collection, so that no transaction has to.
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

/**
 * One row for each workspace. Each transaction that counts records of the workspace, or changes its alert rules, writes
 * it. So two of them conflict, and the rev shows whether cached rules are current.
 */
export function createWorkspaceLimitStore(mongo: Mongo) {
  const { collection } = workspaceLimitRecords.store(mongo);
  return {
    async touch(workspaceId: string, session: ClientSession): Promise<void> {
      const filter = { _id: workspaceId, workspaceId };
      await collection.updateOne(filter, { $inc: { rev: 1 } }, { upsert: true, session });
    },

    /** 0 for a workspace that never had a rule or a subscription. */
    async getRev(workspaceId: string): Promise<number> {
      const row = await collection.findOne({ _id: workspaceId, workspaceId }, { projection: { rev: 1 } });
      return row?.rev ?? 0;
    },
  };
}
