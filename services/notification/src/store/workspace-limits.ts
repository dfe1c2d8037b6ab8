import { type ClientSession, createRecordStore, defineRecords, type Mongo } from "@asset-register/mongo";

type WorkspaceLimits = { id: string; workspaceId: string; rev: number };

export const workspaceLimitRecords = defineRecords<WorkspaceLimits>({
  collection: "workspace_limits",
  name: "limit",
  fields: { rev: Number },
  // The index also creates the collection, so that no transaction has to.
  indexes: [{ name: "list", key: { workspaceId: 1, _id: 1 } }],
});

/** One row for each workspace. Each transaction that counts records of the workspace writes it, so two of them conflict. */
export function createWorkspaceLimitStore(mongo: Mongo) {
  const { collection } = createRecordStore(mongo, workspaceLimitRecords);
  return {
    async touch(workspaceId: string, session: ClientSession): Promise<void> {
      const filter = { _id: workspaceId, workspaceId };
      await collection.updateOne(filter, { $inc: { rev: 1 } }, { upsert: true, session });
    },
  };
}
