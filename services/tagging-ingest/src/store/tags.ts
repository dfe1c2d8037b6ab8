import {
  type ClientSession,
  createRecordStore,
  definedOnly,
  defineRecords,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import type { Tag, TagFilter } from "../domain/tag.ts";
import { tagKey } from "../domain/tag-identity.ts";

export const tagRecords = defineRecords<Tag>({
  collection: "tags",
  name: "tag",
  fields: {
    type: String,
    epc: String,
    code: String,
    key: String,
    assetId: String,
    boundAt: Date,
    createdAt: Date,
    firstSeenAt: Date,
    lastSeenAt: Date,
    rev: Number,
  },
  counted: {},
  indexes: [
    { name: "key", key: { workspaceId: 1, key: 1 }, unique: true },
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    { name: "type", key: { workspaceId: 1, type: 1, _id: 1 } },
    { name: "list", key: { workspaceId: 1, _id: 1 } },
  ],
});

/** A read of a tag without an asset. `id` is the id of the tag if it is new. */
export type UnknownSighting = { id: string; epc: string; at: Date };

export function createTagStore(mongo: Mongo) {
  const { collection, insert, countInserted, save, findOne, find, list } = createRecordStore(
    mongo,
    tagRecords,
  );
  return {
    insert,
    save,

    getByKey: (workspaceId: string, key: string, session: ClientSession): Promise<Tag | undefined> =>
      findOne(workspaceId, { key }, session),

    getMany: (workspaceId: string, ids: string[], session: ClientSession): Promise<Tag[]> =>
      find(workspaceId, { _id: { $in: ids } }, { session }),

    /** The tags on some assets. */
    getOfAssets: (workspaceId: string, assetIds: string[], session?: ClientSession): Promise<Tag[]> =>
      find(workspaceId, { assetId: { $in: assetIds } }, { session }),

    list: (workspaceId: string, filter: TagFilter, page: PageQuery): Promise<Page<Tag>> =>
      list(workspaceId, page, { filter: toFilter(filter) }),

    /**
     * The tags that have these codes, by the code as it was read. Filter bits make no difference. This is the hot path
     * of reads: it takes no more than it needs.
     */
    async resolve(
      workspaceId: string,
      epcs: readonly string[],
    ): Promise<Map<string, { id: string; assetId?: string | undefined }>> {
      const keys = new Map(epcs.map((epc) => [epc, tagKey(epc)]));
      const found = await collection
        .find({ workspaceId, key: { $in: [...keys.values()] } }, { projection: { key: 1, assetId: 1 } })
        .toArray();
      const byKey = new Map(found.map(({ _id, key, assetId }) => [key, { id: _id, assetId }]));
      const resolved = new Map<string, { id: string; assetId?: string | undefined }>();
      for (const [epc, key] of keys) {
        const tag = byKey.get(key);
        if (tag !== undefined) resolved.set(epc, tag);
      }
      return resolved;
    },

    /** Stores unknown tags as free ones, with their first and last sighting. One bulk write, on the hot path of reads. */
    async observe(
      workspaceId: string,
      seen: readonly UnknownSighting[],
      session: ClientSession,
    ): Promise<void> {
      const { upsertedIds } = await collection.bulkWrite(
        seen.map(({ id, epc, at }) => ({
          updateOne: {
            filter: { workspaceId, key: tagKey(epc) },
            update: {
              $setOnInsert: { _id: id, type: "rfid" as const, epc, createdAt: at, rev: 1 },
              $min: { firstSeenAt: at },
              $max: { lastSeenAt: at },
            },
            upsert: true,
          },
        })),
        { session },
      );
      await countInserted(workspaceId, Object.values(upsertedIds), session);
    },
  };
}

function toFilter({ assigned, ...filter }: TagFilter) {
  // "" is below every id, so the index on assetId serves both cases.
  const bound = assigned ? { assetId: { $gt: "" } } : { assetId: { $exists: false } };
  return { ...(assigned !== undefined && bound), ...definedOnly(filter) };
}
