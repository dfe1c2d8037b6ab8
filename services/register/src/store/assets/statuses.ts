import { type ClientSession, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { createSharedReads, newId } from "@asset-register/runtime";
import { type Status, seededStatuses } from "../../domain/assets/status.ts";

/** The place in the order of use. */
type StatusKeys = { position: number };

export const statusRecords = defineRecords<Status, StatusKeys>({
  collection: "statuses",
  name: "status",
  fields: { key: String, name: String, class: String, isDefault: Boolean },
  beside: { position: Number },
  indexes: [
    { name: "key", key: { workspaceId: 1, key: 1 }, unique: true },
    { name: "list", key: { workspaceId: 1, position: 1, _id: 1 } },
    {
      name: "default",
      key: { workspaceId: 1, isDefault: 1 },
      unique: true,
      partialFilterExpression: { isDefault: true },
    },
  ],
});

export function createStatusStore(mongo: Mongo) {
  const { collection, get, getMany, findOne, find, list } = statusRecords.store(mongo);
  return {
    /** In their order of use. */
    list: (workspaceId: string): Promise<Status[]> => find(workspaceId, {}, { sort: { position: 1 } }),

    /** A page in their order of use. */
    listPage: (workspaceId: string, page: PageQuery): Promise<Page<Status>> =>
      list(
        workspaceId,
        { ...page, sort: page.sort ?? "position" },
        { sorts: { position: "position" }, countCacheMs: 0 },
      ),

    get,

    /** In no order. */
    names: async (workspaceId: string, ids: readonly string[]): Promise<Pick<Status, "id" | "name">[]> => [
      ...(await getMany(workspaceId, ids)).values(),
    ],

    getByKey: (workspaceId: string, key: string, session?: ClientSession): Promise<Status | undefined> =>
      findOne(workspaceId, { key }, session),

    /** Each creation asks for it. */
    getDefault: createSharedReads((workspaceId) => findOne(workspaceId, { isDefault: true })),

    /** Adds the seeded statuses that are missing, all in one transaction. Several processes may do it at once. */
    async seed(workspaceId: string): Promise<void> {
      await mongo.transaction({}, (session) => collection.bulkWrite(seeds(workspaceId), { session }));
    },
  };
}

function seeds(workspaceId: string) {
  return seededStatuses.map(({ key, ...status }, position) => ({
    updateOne: {
      filter: { workspaceId, key },
      update: { $setOnInsert: { _id: newId("sta"), ...status, position } },
      upsert: true,
    },
  }));
}
