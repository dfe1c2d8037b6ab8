import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";

type RunRow = { id: string; workspaceId: string; runId: string };

/** Native writes of the rows of a run in a collection, since a run may have a million. */
export function runRowWrites<R extends RunRow>(mongo: Mongo, name: string) {
  const collection = mongo.collection<TenantDocument & { runId: string }>(name);
  return {
    async insertMany(workspaceId: string, rows: readonly R[], session: ClientSession): Promise<void> {
      if (rows.length === 0) return;
      const documents = rows.map(({ id, ...row }) => ({ ...row, _id: id, workspaceId }));
      await collection.insertMany(documents, { session, ignoreUndefined: true });
    },

    async removeMany(workspaceId: string, ids: readonly string[], session: ClientSession): Promise<void> {
      if (ids.length === 0) return;
      await collection.deleteMany({ workspaceId, _id: { $in: [...ids] } }, { session });
    },

    /** The ids of some rows of a run, to remove them. */
    async someIds(workspaceId: string, runId: string, limit: number): Promise<string[]> {
      const rows = await collection
        .find({ workspaceId, runId }, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return rows.map(({ _id }) => _id);
    },
  };
}
