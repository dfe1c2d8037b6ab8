import type { ClientSession, Mongo, TenantDocument } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";

type RunRow = { id: string; workspaceId: string; runId: string };

type Filter = { runId: string; _id?: string | { $gt: string; $lt: string } };

/** The `list` of a store. */
type List<R> = (
  workspaceId: string,
  page: PageQuery,
  options: { filter: Filter; total?: () => Promise<number>; countCacheMs?: number },
) => Promise<Page<R>>;

/** The lists of the rows of a run, and of an asset in a run, whose ids `idsOf` matches. */
export function runRowLists<R extends RunRow>(
  list: List<R>,
  idsOf: (runId: string, assetId: string) => NonNullable<Filter["_id"]>,
) {
  return {
    /** `total` is the number that the run has counted. */
    list: (workspaceId: string, runId: string, page: PageQuery, total: number): Promise<Page<R>> =>
      list(workspaceId, page, { filter: { runId }, total: async () => total }),

    listOfAsset: (workspaceId: string, runId: string, assetId: string, page: PageQuery): Promise<Page<R>> =>
      list(workspaceId, page, { filter: { runId, _id: idsOf(runId, assetId) }, countCacheMs: 0 }),
  };
}

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
