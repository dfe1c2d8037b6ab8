import type { ClientSession, Mongo } from "@asset-register/mongo";

type TreeDocument = { _id: string; workspaceId: string; changes: number };

/** One row for each workspace. Two changes of parents at the same time both write it, so they can't close a cycle. */
export function createTreeStore(mongo: Mongo) {
  const trees = mongo.collection<TreeDocument>("trees");
  return {
    async bump(workspaceId: string, session: ClientSession): Promise<void> {
      const one = { _id: workspaceId, workspaceId };
      await trees.updateOne(one, { $inc: { changes: 1 } }, { upsert: true, session });
    },
  };
}
