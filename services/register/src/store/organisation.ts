import { type ClientSession, createRecordStore, defineRecords, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { OrganisationKind, OrganisationRecord } from "../domain/organisation.ts";

/** `deleted` makes counts covered by the index. */
type OrganisationKeys = { deleted: boolean };

/** All kinds are in one collection: they are referred to together, so one query checks all references of a write. */
export const organisationRecords = defineRecords<OrganisationRecord, OrganisationKeys>({
  collection: "organisation",
  name: "record",
  fields: {
    kind: String,
    name: String,
    code: String,
    address: String,
    level: Number,
    propertyId: String,
    buildingId: String,
    floorId: String,
    parentId: String,
    email: String,
    employeeNo: String,
    departmentId: String,
    userId: String,
    rev: Number,
    createdAt: Date,
    updatedAt: Date,
    deletedAt: Date,
  },
  beside: { deleted: Boolean },
  derive: ({ deletedAt }) => ({ deleted: deletedAt !== undefined }),
  indexes: [
    { name: "list", key: { workspaceId: 1, deleted: 1, kind: 1, _id: 1 } },
    { name: "parent", key: { workspaceId: 1, deleted: 1, parentId: 1, _id: 1 } },
  ],
});

export function createOrganisationStore(mongo: Mongo) {
  const { collection, insert, findOne, find, list } = createRecordStore(mongo, organisationRecords);
  return {
    insert,

    get: (workspaceId: string, kind: OrganisationKind, id: string): Promise<OrganisationRecord | undefined> =>
      findOne(workspaceId, { _id: id, kind, deleted: false }),

    /** By id. */
    async getMany(
      workspaceId: string,
      ids: string[],
      session?: ClientSession,
    ): Promise<Map<string, OrganisationRecord>> {
      if (ids.length === 0) return new Map();
      const found = await find(workspaceId, { _id: { $in: ids }, deleted: false }, { session });
      return new Map(found.map((record) => [record.id, record]));
    },

    /** Deleted records too. */
    getAll: (workspaceId: string, ids: string[], session?: ClientSession): Promise<OrganisationRecord[]> =>
      find(workspaceId, { _id: { $in: ids } }, { session }),

    /** The ids of records directly below these, of the same kind; no more than `limit`. */
    async childIds(workspaceId: string, parentIds: string[], limit: number): Promise<string[]> {
      const children = collection.find(
        { workspaceId, deleted: false, parentId: { $in: parentIds } },
        { projection: { _id: 1 }, limit },
      );
      return (await children.toArray()).map(({ _id }) => _id);
    },

    list: (workspaceId: string, kind: OrganisationKind, page: PageQuery): Promise<Page<OrganisationRecord>> =>
      list(workspaceId, page, { filter: { deleted: false, kind }, countCacheMs: 0 }),
  };
}
