import { type ClientSession, type Index, listPage, type Mongo } from "@asset-register/mongo";
import type { OrganisationKind, OrganisationRecord } from "../domain/organisation.ts";
import type { PageOf, PageWanted } from "../domain/page.ts";
import { fromDocument, type OrganisationDocument, toDocument } from "./organisation-document.ts";

export type OrganisationStore = ReturnType<typeof organisationStore>;

/**
 * The seven collections in one: they are referred to together, and one query
 * answers for all references of a write.
 */
export function organisationStore(mongo: Mongo) {
  const records = mongo.collection<OrganisationDocument>("organisation");
  return {
    async get(
      workspaceId: string,
      kind: OrganisationKind,
      id: string,
    ): Promise<OrganisationRecord | undefined> {
      const row = await records.findOne({ _id: id, workspaceId, kind, deleted: false });
      return row ? fromDocument(row) : undefined;
    },

    async getMany(workspaceId: string, ids: string[]): Promise<Map<string, OrganisationRecord>> {
      if (ids.length === 0) return new Map();
      const rows = records.find({ workspaceId, _id: { $in: ids }, deleted: false });
      return new Map((await rows.toArray()).map((row) => [row._id, fromDocument(row)]));
    },

    /** The deleted ones too. */
    async getAll(workspaceId: string, ids: string[], session: ClientSession): Promise<OrganisationRecord[]> {
      const rows = records.find({ workspaceId, _id: { $in: ids } }, { session });
      return (await rows.toArray()).map(fromDocument);
    },

    async list(
      workspaceId: string,
      kind: OrganisationKind,
      page: PageWanted,
    ): Promise<PageOf<OrganisationRecord>> {
      const found = await listPage(records, {
        workspaceId,
        filter: { deleted: false, kind },
        ...page,
        countCacheMs: 0,
      });
      return { ...found, items: found.items.map(fromDocument) };
    },

    async insert(workspaceId: string, record: OrganisationRecord, session: ClientSession): Promise<void> {
      const document = { ...toDocument(record), workspaceId };
      await records.insertOne(document, { session, ignoreUndefined: true });
    },
  };
}

export const organisationIndexes: readonly Index[] = [
  { name: "list", key: { workspaceId: 1, deleted: 1, kind: 1, _id: 1 } },
];
