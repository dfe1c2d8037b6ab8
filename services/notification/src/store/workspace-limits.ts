import type { ClientSession, Mongo } from "@asset-register/mongo";

type LimitsDocument = { _id: string; workspaceId: string; rev: number };

export const WORKSPACE_LIMITS = "workspace_limits";

export type WorkspaceLimits = ReturnType<typeof createWorkspaceLimits>;

/** One row a workspace, written by whoever counts something of it: so that two who count at once collide. */
export function createWorkspaceLimits(mongo: Mongo) {
  const rows = mongo.collection<LimitsDocument>(WORKSPACE_LIMITS);
  return {
    async touch(workspaceId: string, session: ClientSession): Promise<void> {
      const filter = { _id: workspaceId, workspaceId };
      await rows.updateOne(filter, { $inc: { rev: 1 } }, { upsert: true, session });
    },
  };
}
