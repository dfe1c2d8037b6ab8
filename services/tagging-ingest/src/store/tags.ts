import {
  type ClientSession,
  listPage,
  type Mongo,
  type Page,
  type TenantDocument,
} from "@asset-register/mongo";
import { epcKey } from "../domain/epc.ts";
import type { ListQuery } from "../domain/list-query.ts";
import type { Tag } from "../domain/tag.ts";
import type { TagType } from "../domain/tag-identity.ts";

type TagDocument = TenantDocument & {
  type: TagType;
  epc?: string;
  code?: string;
  key: string;
  /** Absent while free. */
  asset_id?: string;
  bound_at?: Date;
  created_at: Date;
  first_seen_at?: Date;
  last_seen_at?: Date;
  rev: number;
};

/** Which tags; what is absent means any. */
export type TagFilter = { type?: TagType; assigned?: boolean; assetId?: string };

/** A tag that was read and is bound to nothing. */
export type UnknownSighting = { id: string; epc: string; at: Date };

export type TagStore = ReturnType<typeof createTagStore>;

/** Tags of a workspace. */
export function createTagStore(mongo: Mongo) {
  const tags = mongo.collection<TagDocument>("tags");
  return {
    async get(workspaceId: string, id: string, session: ClientSession): Promise<Tag | undefined> {
      const found = await tags.findOne({ workspaceId, _id: id }, { session });
      return found === null ? undefined : toTag(found);
    },
    async findByKey(workspaceId: string, key: string, session: ClientSession): Promise<Tag | undefined> {
      const found = await tags.findOne({ workspaceId, key }, { session });
      return found === null ? undefined : toTag(found);
    },
    async insert(workspaceId: string, tag: Tag, session: ClientSession): Promise<void> {
      await tags.insertOne({ ...toDocument(tag), workspaceId }, { session });
    },
    /** Stores a changed tag; false when another change came first. */
    async replace(workspaceId: string, before: Tag, after: Tag, session: ClientSession): Promise<boolean> {
      const { _id, workspaceId: _, ...fields } = toDocument(after);
      const { matchedCount } = await tags.replaceOne(
        { workspaceId, _id, rev: before.rev },
        { ...fields, workspaceId },
        { session },
      );
      return matchedCount === 1;
    },
    async ofAssets(
      workspaceId: string,
      assetIds: readonly string[],
      session?: ClientSession,
    ): Promise<Tag[]> {
      const found = await tags
        .find({ workspaceId, asset_id: { $in: [...assetIds] } }, session ? { session } : {})
        .toArray();
      return found.map(toTag);
    },
    /** The tags that carry these codes, whatever filter bits were written or read; by the code as read. */
    async resolve(workspaceId: string, epcs: readonly string[]): Promise<Map<string, Tag>> {
      const keys = new Map(epcs.map((epc) => [epc, `epc:${epcKey(epc)}`]));
      const found = await tags.find({ workspaceId, key: { $in: [...keys.values()] } }).toArray();
      const byKey = new Map(found.map((document) => [document.key, toTag(document)]));
      const resolved = new Map<string, Tag>();
      for (const [epc, key] of keys) {
        const tag = byKey.get(key);
        if (tag !== undefined) resolved.set(epc, tag);
      }
      return resolved;
    },
    /** Makes tags that were read and are unknown visible as free ones, with their first and last sighting. */
    async sawUnknown(workspaceId: string, seen: readonly UnknownSighting[], session: ClientSession) {
      if (seen.length === 0) return;
      await tags.bulkWrite(
        seen.map(({ id, epc, at }) => ({
          updateOne: {
            filter: { workspaceId, key: `epc:${epcKey(epc)}` },
            update: {
              $setOnInsert: { _id: id, type: "rfid" as const, epc, created_at: at, rev: 1 },
              $min: { first_seen_at: at },
              $max: { last_seen_at: at },
            },
            upsert: true,
          },
        })),
        { session },
      );
    },
    async list(workspaceId: string, query: ListQuery, filter: TagFilter): Promise<Page<Tag>> {
      const { type, assigned, assetId } = filter;
      const page = await listPage(tags, {
        workspaceId,
        ...query,
        filter: {
          ...(type === undefined ? {} : { type }),
          // "" is below every id, so that the index on asset_id serves both.
          ...(assigned === undefined ? {} : { asset_id: assigned ? { $gt: "" } : { $exists: false } }),
          ...(assetId === undefined ? {} : { asset_id: assetId }),
        },
      });
      return { ...page, items: page.items.map(toTag) };
    },
  };
}

/** A stored tag in the domain's words. */
export function toTag(document: TagDocument): Tag {
  const { epc, code, asset_id, bound_at, first_seen_at, last_seen_at } = document;
  return {
    id: document._id,
    workspaceId: document.workspaceId,
    type: document.type,
    key: document.key,
    createdAt: document.created_at,
    rev: document.rev,
    ...(epc === undefined ? {} : { epc }),
    ...(code === undefined ? {} : { code }),
    ...(asset_id === undefined ? {} : { assetId: asset_id }),
    ...(bound_at === undefined ? {} : { boundAt: bound_at }),
    ...(first_seen_at === undefined ? {} : { firstSeenAt: first_seen_at }),
    ...(last_seen_at === undefined ? {} : { lastSeenAt: last_seen_at }),
  };
}

function toDocument(tag: Tag): TagDocument {
  const { epc, code, assetId, boundAt, firstSeenAt, lastSeenAt } = tag;
  return {
    _id: tag.id,
    workspaceId: tag.workspaceId,
    type: tag.type,
    key: tag.key,
    created_at: tag.createdAt,
    rev: tag.rev,
    ...(epc === undefined ? {} : { epc }),
    ...(code === undefined ? {} : { code }),
    ...(assetId === undefined ? {} : { asset_id: assetId }),
    ...(boundAt === undefined ? {} : { bound_at: boundAt }),
    ...(firstSeenAt === undefined ? {} : { first_seen_at: firstSeenAt }),
    ...(lastSeenAt === undefined ? {} : { last_seen_at: lastSeenAt }),
  };
}
