import { type ClientSession, defineRecords, embedded, type Mongo } from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { newId } from "@asset-register/runtime";
import type { Tag, TagFilter } from "../../domain/tags/tag.ts";
import { type TagIdentity, tagKey } from "../../domain/tags/tag-identity.ts";

/** Whether a tag is bound, for filters: an index can't search for an absent field in order of id. Ghosts have none. */
type TagKeys = { assigned?: boolean };

export const tagRecords = defineRecords<Tag, TagKeys>({
  collection: "tags",
  name: "tag",
  fields: {
    type: String,
    epc: String,
    code: String,
    key: String,
    lookupKeys: [String],
    assetId: String,
    boundAt: Date,
    lastAssetId: String,
    unboundAt: Date,
    createdAt: Date,
    firstSeenAt: Date,
    lastSeenAt: Date,
    ghost: Boolean,
    cause: embedded({ id: String, assetId: String }),
    rev: Number,
  },
  counted: {},
  beside: { assigned: Boolean },
  derive: ({ assetId }) => ({ assigned: assetId !== undefined }),
  indexes: [
    { name: "key", key: { workspaceId: 1, key: 1 }, unique: true },
    { name: "lookup", key: { workspaceId: 1, lookupKeys: 1 } },
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    { name: "type", key: { workspaceId: 1, type: 1, _id: 1 } },
    { name: "assigned", key: { workspaceId: 1, assigned: 1, _id: 1 } },
    { name: "typeAssigned", key: { workspaceId: 1, type: 1, assigned: 1, _id: 1 } },
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    // Partial, so that other tags cost nothing.
    { name: "ghost", key: { workspaceId: 1, ghost: 1, _id: 1 }, partialFilterExpression: { ghost: true } },
    {
      name: "cause",
      key: { workspaceId: 1, "cause.id": 1, "cause.assetId": 1 },
      unique: true,
      partialFilterExpression: { "cause.id": { $type: "string" } },
    },
  ],
});

/**
 * A read of a tag without an asset. `id` is absent when the tag is not stored yet. `ghost`: it may be one; `wasGhost`:
 * the stored tag was one.
 */
export type UnknownSighting = {
  id?: string | undefined;
  epc: string;
  at: Date;
  ghost?: boolean;
  wasGhost?: boolean;
};

/** A tag as the hot path of reads needs it. */
export type ResolvedEpc = { id: string; assetId?: string | undefined; ghost?: true | undefined };

export function createTagStore(mongo: Mongo) {
  const { collection, get, getMany, insert, insertMany, countInserted, save, findOne, find, list } =
    tagRecords.store(mongo);
  return {
    insert,
    insertMany,
    save,
    get,

    /** The tags with some keys, by key. */
    async getByKeys(workspaceId: string, keys: readonly string[]): Promise<Map<string, Tag>> {
      if (keys.length === 0) return new Map();
      const found = await find(workspaceId, { key: { $in: [...keys] } });
      return new Map(found.map((tag) => [tag.key, tag]));
    },

    /** The tags that some text may mean beside this one. */
    listConfusable: (
      workspaceId: string,
      { key, lookupKeys }: TagIdentity,
      session: ClientSession,
    ): Promise<Tag[]> =>
      find(workspaceId, { $or: [{ key: { $in: lookupKeys } }, { lookupKeys: key }] }, { session }),

    getByKey: (workspaceId: string, key: string, session: ClientSession): Promise<Tag | undefined> =>
      findOne(workspaceId, { key }, session),

    getMany,

    /** The tags on some assets. */
    getOfAssets: (workspaceId: string, assetIds: string[], session?: ClientSession): Promise<Tag[]> =>
      find(workspaceId, { assetId: { $in: assetIds } }, { session }),

    /** The tags that a work has made for some assets. They may be free by now. */
    getOfCause: (
      workspaceId: string,
      causeId: string,
      assetIds: string[],
      session: ClientSession,
    ): Promise<Tag[]> =>
      // Without the type, MongoDB would not use the partial index.
      find(
        workspaceId,
        { "cause.id": { $eq: causeId, $type: "string" }, "cause.assetId": { $in: assetIds } } as object,
        { session },
      ),

    list(workspaceId: string, { ghost, ...filter }: TagFilter, page: PageQuery): Promise<Page<Tag>> {
      if (ghost !== false) return list(workspaceId, page, { filter: { ...filter, ghost } });
      // Ghosts have no `assigned`, so that an index finds the others.
      const { assigned = { $in: [true, false] } } = filter;
      return list(workspaceId, page, { filter: { ...filter, assigned }, boundTo: { ...filter, ghost } });
    },

    /**
     * The tags that have these codes, by the code as it was read. Filter bits make no difference. This is the hot path
     * of reads: it takes no more than it needs.
     */
    async resolve(workspaceId: string, epcs: readonly string[]): Promise<Map<string, ResolvedEpc>> {
      const keys = new Map(epcs.map((epc) => [epc, tagKey(epc)]));
      const found = await collection
        .find(
          { workspaceId, key: { $in: [...keys.values()] } },
          { projection: { key: 1, assetId: 1, ghost: 1 }, batchSize: 10_000 },
        )
        .toArray();
      const byKey = new Map(found.map(({ _id, key, assetId, ghost }) => [key, { id: _id, assetId, ghost }]));
      const resolved = new Map<string, ResolvedEpc>();
      for (const [epc, key] of keys) {
        const tag = byKey.get(key);
        if (tag !== undefined) resolved.set(epc, tag);
      }
      return resolved;
    },

    /** Stores unknown tags and ghosts as free ones, with their first and last sighting. In bulk, on the hot path of reads. */
    async observe(
      workspaceId: string,
      seen: readonly UnknownSighting[],
      session: ClientSession,
    ): Promise<void> {
      const [known, fresh] = mergeSightings(seen);
      if (fresh.length > 0) {
        const tags = fresh.map(({ key, epc, firstSeenAt, lastSeenAt, ghost }) => ({
          ...{ _id: newId("tag"), workspaceId, key, type: "rfid" as const, epc, rev: 1 },
          ...{ createdAt: firstSeenAt, firstSeenAt, lastSeenAt, lookupKeys: [key] },
          ...(ghost ? { ghost } : { assigned: false }),
        }));
        await collection.insertMany(tags, { session, ordered: false });
        const ids = tags.map(({ _id }) => _id);
        await countInserted(workspaceId, ids, session);
      }
      if (known.length > 0) {
        await collection.bulkWrite(
          known.map(({ id: _id, firstSeenAt, lastSeenAt, ghost, wasGhost }) => {
            const seen = { $min: { firstSeenAt }, $max: { lastSeenAt } };
            // A tag that somebody has bound meanwhile is no ghost any more, and stays as it is.
            return wasGhost && !ghost
              ? {
                  updateOne: {
                    filter: { workspaceId, _id, ghost: true as const },
                    update: { ...seen, $set: { assigned: false }, $unset: { ghost: 1 as const } },
                  },
                }
              : { updateOne: { filter: { workspaceId, _id }, update: seen } };
          }),
          { session, ordered: false },
        );
      }
    },
  };
}

type FreeTag = Required<Omit<UnknownSighting, "at" | "ghost">> & {
  key: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  /** All its reads are those of a ghost. */
  ghost?: true | undefined;
};

/** One entry for each tag: those that are stored, and the others, whose id is empty. */
function mergeSightings(seen: readonly UnknownSighting[]): [known: FreeTag[], fresh: FreeTag[]] {
  const tags = new Map<string, FreeTag>();
  for (const { id = "", epc, at, ghost = false, wasGhost = false } of seen) {
    const key = tagKey(epc);
    const tag = tags.get(key) ?? { id, key, epc, firstSeenAt: at, lastSeenAt: at, wasGhost, ghost: true };
    tags.set(key, tag);
    if (!ghost) tag.ghost = undefined;
    if (at < tag.firstSeenAt) tag.firstSeenAt = at;
    if (at > tag.lastSeenAt) tag.lastSeenAt = at;
  }
  const all = [...tags.values()];
  return [all.filter(({ id }) => id !== ""), all.filter(({ id }) => id === "")];
}
