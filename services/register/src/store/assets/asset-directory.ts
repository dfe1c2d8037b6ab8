import type { ClientSession, Mongo } from "@asset-register/mongo";
import type { mongo } from "mongoose";
import type { Asset } from "../../domain/assets/asset.ts";
import type { Scope } from "../../domain/organisation/scope.ts";
import { EITHER } from "./asset-filter.ts";
import { LIVE_INDEX, selectionIndex } from "./asset-indexes.ts";
import { assetRecords } from "./asset-records.ts";

/** The server merges at most this many ranges of an index in order of id (internalQueryMaxScansToExplode). */
const RANGES = 200;

/** Long texts, which no other service needs. 1000 assets with them would exceed the size of a message. */
const UNNEEDED = { description: 0, customFields: 0, tokens: 0 };

/** The fields of an asset that a position shows, and those that decide whether it is in a scope. */
const PLACED = [
  ...(["number", "name", "statusId", "cost", "nbv", "currency", "disposed", "deletedAt"] as const),
  ...(["propertyId", "buildingId", "floorId", "locationId", "categoryId", "departmentId"] as const),
] as const;

export type PlacedAsset = Pick<Asset, "id" | (typeof PLACED)[number]>;

/** Which assets of a scope; without `statusIds`, those of all statuses. */
export type ScopeQuery = { scope: Scope; statusIds?: string[] | undefined };

/** A position in the order of (updated_at, id). */
export type ChangePosition = { at: Date; id: string };

/** Reads for other services. Assets come without description and custom fields. */
export function createAssetDirectoryStore(mongo: Mongo) {
  const { collection, toRecord } = assetRecords.store(mongo);
  type Filter = mongo.BSON.Document & { workspaceId: string };

  async function read(
    filter: Filter,
    {
      session,
      ...options
    }: Pick<mongo.FindOptions, "sort" | "limit" | "hint"> & {
      session?: ClientSession | undefined;
    } = {},
  ): Promise<Asset[]> {
    const found = collection.find(filter, { ...options, ...(session && { session }), projection: UNNEEDED });
    return (await found.toArray()).map(toRecord);
  }

  /** Filter for a part of the scope's records. */
  const within = (workspaceId: string, { scope, statusIds }: ScopeQuery, ids: readonly string[]): Filter => ({
    workspaceId,
    live: true,
    ...(scope && { deleted: false, [scope.field]: { $in: ids } }),
    ...(statusIds && { statusId: { $in: statusIds } }),
  });

  return {
    /** In order of id, deleted and disposed assets too. */
    getAll: (workspaceId: string, ids: readonly string[], session?: ClientSession): Promise<Asset[]> =>
      read({ workspaceId, _id: { $in: ids } }, { session, sort: { _id: 1 } }),

    /** The same with only the fields of a position. A stock-take reads a million. */
    async getPlaced(
      workspaceId: string,
      ids: readonly string[],
      session: ClientSession,
    ): Promise<PlacedAsset[]> {
      const projection = Object.fromEntries(PLACED.map((name) => [name, 1]));
      const found = collection.find(
        { workspaceId, _id: { $in: [...ids] } },
        { session, projection, sort: { _id: 1 } },
      );
      return (await found.toArray()).map(toRecord);
    },

    /** Names and numbers, of deleted and disposed assets too. In no order. */
    async names(
      workspaceId: string,
      ids: readonly string[],
    ): Promise<Pick<Asset, "id" | "name" | "number">[]> {
      if (ids.length === 0) return [];
      const projection = { name: 1, number: 1 };
      const found = collection.find({ workspaceId, _id: { $in: [...ids] } }, { projection });
      return (await found.toArray()).map(({ _id, name, number }) => ({ id: _id, name, number }));
    },

    /** The first assets of a scope after an id, in order of id. All groups of ranges must be read in one snapshot. */
    async listScope(
      workspaceId: string,
      query: ScopeQuery & { afterId?: string | undefined; limit: number },
      session: ClientSession,
    ): Promise<Asset[]> {
      const { scope, afterId = "", limit } = query;
      let found: string[] = [];
      for (const group of groupsOf(scope)) {
        // An id above those that were found already cannot be among the first ones.
        const last = found.length === limit ? found.at(-1) : undefined;
        const filter = {
          ...within(workspaceId, query, group),
          _id: { $gt: afterId, ...(last !== undefined && { $lt: last }) },
        };
        const rows = collection.find(filter, {
          session,
          projection: { _id: 1 },
          sort: { _id: 1 },
          limit,
          hint: indexOf(scope),
        });
        const ids = (await rows.toArray()).map(({ _id }) => _id);
        found = [...found, ...ids].sort().slice(0, limit);
      }
      return read({ workspaceId, _id: { $in: found } }, { session, sort: { _id: 1 } });
    },

    /** Read from the index alone. */
    countScope: (workspaceId: string, query: ScopeQuery): Promise<number> =>
      collection.countDocuments(within(workspaceId, query, [...(query.scope?.ids ?? [])]), {
        hint: indexOf(query.scope),
      }),

    /** Assets in order of (updated_at, id), deleted ones too: after a position, or from an instant on. */
    async listChanged(
      workspaceId: string,
      {
        since,
        after,
        limit,
      }: { since?: Date | undefined; after?: ChangePosition | undefined; limit: number },
    ): Promise<Asset[]> {
      const page = (
        filter: mongo.BSON.Document,
        limit: number,
        sort: mongo.Sort = { updatedAt: 1, _id: 1 },
      ) => read({ workspaceId, deleted: EITHER, ...filter }, { sort, limit, hint: "updatedAt" });
      if (!after) return page(since ? { updatedAt: { $gte: since } } : {}, limit);
      const same = await page({ updatedAt: after.at, _id: { $gt: after.id } }, limit, { _id: 1 });
      if (same.length === limit) return same;
      return [...same, ...(await page({ updatedAt: { $gt: after.at } }, limit - same.length))];
    },

    /** Assets that were seen, in order of id. */
    listSeen: (workspaceId: string, afterId: string | undefined, limit: number): Promise<Asset[]> =>
      read(
        { workspaceId, live: true, _id: { $gt: afterId ?? "" }, "lastSeen.at": { $exists: true } },
        { sort: { _id: 1 }, limit, hint: "seen" },
      ),

    /** Which of these assets are or were in the workspace. */
    async existing(workspaceId: string, ids: readonly string[]): Promise<string[]> {
      const found = collection.find({ workspaceId, _id: { $in: [...ids] } }, { projection: { _id: 1 } });
      return (await found.toArray()).map(({ _id }) => _id);
    },

    /** Sets last_audited_at where it is older. Neither `rev` nor `updatedAt` changes. */
    async setAudited(workspaceId: string, ids: readonly string[], at: Date): Promise<void> {
      await collection.updateMany(
        {
          workspaceId,
          _id: { $in: [...ids] },
          $or: [{ lastAuditedAt: { $exists: false } }, { lastAuditedAt: { $lt: at } }],
        },
        { $set: { lastAuditedAt: at } },
      );
    },
  };
}

/** Ends in the status, so totals read no documents. */
const indexOf = (scope: Scope): string => (scope ? selectionIndex(scope.field) : LIVE_INDEX);

function groupsOf(scope: Scope): string[][] {
  if (!scope) return [[]];
  const ids = [...scope.ids];
  return Array.from({ length: Math.ceil(ids.length / RANGES) }, (_, group) =>
    ids.slice(group * RANGES, (group + 1) * RANGES),
  );
}
