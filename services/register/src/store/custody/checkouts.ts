import {
  type ClientSession,
  definedOnly,
  defineRecords,
  embeddedActor,
  isDuplicateKey,
  type Mongo,
} from "@asset-register/mongo";
import type { Page, PageQuery } from "@asset-register/rpc";
import { conflict } from "@asset-register/runtime";
import type { Checkout, CheckoutFilter } from "../../domain/custody/checkout.ts";

const OPEN_INDEX = "open";
const DAY_MS = 86_400_000;

export const checkoutRecords = defineRecords<Checkout>({
  collection: "checkouts",
  name: "checkout",
  fields: {
    assetId: String,
    status: String,
    issuedToType: String,
    issuedToId: String,
    issuedToName: String,
    issuedAt: Date,
    issuedBy: embeddedActor(),
    dueAt: Date,
    conditionOut: String,
    conditionIn: String,
    note: String,
    noteIn: String,
    returnedAt: Date,
    returnedLate: Boolean,
    needsInspection: Boolean,
    custodianBefore: String,
    setCustodian: Boolean,
    rev: Number,
  },
  counted: {},
  indexes: [
    // An asset has one open checkout at most.
    {
      name: OPEN_INDEX,
      key: { workspaceId: 1, assetId: 1 },
      unique: true,
      partialFilterExpression: { status: "open" },
    },
    { name: "list", key: { workspaceId: 1, _id: 1 } },
    { name: "asset", key: { workspaceId: 1, assetId: 1, _id: 1 } },
    // Returns within a time, without reading older checkouts.
    { name: "returned", key: { workspaceId: 1, assetId: 1, returnedAt: 1, _id: 1, issuedAt: 1 } },
    { name: "holder", key: { workspaceId: 1, issuedToId: 1, _id: 1 } },
    { name: "status", key: { workspaceId: 1, status: 1, _id: 1 } },
    { name: "due", key: { workspaceId: 1, status: 1, dueAt: 1, _id: 1 } },
  ],
});

export function createCheckoutStore(mongo: Mongo) {
  const { collection, get, find, insert, list, save, toRecord } = checkoutRecords.store(mongo);
  return {
    save,
    get,

    list: (
      workspaceId: string,
      filter: CheckoutFilter,
      now: Date,
      page: PageQuery,
    ): Promise<Page<Checkout>> =>
      list(workspaceId, page, {
        filter: toFilter(filter, now),
        // The due checkouts depend on the time; cursors and the cached total must not.
        ...((filter.overdue !== undefined || filter.dueWithinDays !== undefined) && {
          boundTo: definedOnly(filter),
          countKey: definedOnly(filter),
        }),
      }),

    /** Checkouts that overlap a time, in order of (asset, issued_at, id); without notes. The limit counts returned ones. */
    async overlapping(
      workspaceId: string,
      assetIds: readonly string[],
      { since, until }: { since: Date; until: Date },
      limit: number,
      session: ClientSession,
    ): Promise<Checkout[]> {
      const common = { workspaceId, assetId: { $in: [...assetIds] }, issuedAt: { $lte: until } };
      const projection = { note: 0, noteIn: 0 };
      const returned = await collection
        .find(
          { ...common, returnedAt: { $gte: since } },
          { session, limit, projection, hint: "returned", sort: { assetId: 1, returnedAt: 1, _id: 1 } },
        )
        .toArray();
      // At most one of each asset.
      const open = await collection
        .find({ ...common, status: "open" }, { session, projection, hint: OPEN_INDEX })
        .toArray();
      return [...returned, ...open].map(toRecord).sort(byAssetAndIssue);
    },

    /** The open checkouts of assets. */
    openOf: (workspaceId: string, assetIds: readonly string[]): Promise<Checkout[]> =>
      find(workspaceId, { assetId: { $in: [...assetIds] }, status: "open" }),

    /** How many open checkouts a holder has, at most `limit`. */
    countOpen: (
      workspaceId: string,
      issuedToId: string,
      limit: number,
      session: ClientSession,
    ): Promise<number> =>
      collection.countDocuments({ workspaceId, issuedToId, status: "open" }, { limit, session }),

    /** @throws AppError ASSET_CHECKED_OUT when the asset has an open checkout, also in a race */
    async insert(workspaceId: string, checkout: Checkout, session: ClientSession): Promise<void> {
      try {
        await insert(workspaceId, checkout, session);
      } catch (error) {
        if (!isDuplicateKey(error, OPEN_INDEX)) throw error;
        throw conflict(
          "ASSET_CHECKED_OUT",
          "The asset is already checked out.",
          [{ field: "asset_id", message: checkout.assetId }],
          error,
        );
      }
    },
  };
}

function byAssetAndIssue(a: Checkout, b: Checkout): number {
  if (a.assetId !== b.assetId) return a.assetId < b.assetId ? -1 : 1;
  return a.issuedAt.getTime() - b.issuedAt.getTime() || (a.id < b.id ? -1 : 1);
}

function toFilter({ overdue, dueWithinDays, ...filter }: CheckoutFilter, now: Date) {
  const given = definedOnly(filter);
  if (dueWithinDays !== undefined) {
    const end = new Date(now.getTime() + dueWithinDays * DAY_MS);
    const dueAt = { $lt: overdue ? now : end, ...(overdue === false && { $gte: now }) };
    return { $and: [given, { status: "open" as const, dueAt }] };
  }
  if (overdue === undefined) return given;
  if (overdue) return { $and: [given, { status: "open" as const, dueAt: { $lt: now } }] };
  return {
    ...given,
    $or: [
      { status: "returned" as const },
      { status: "open" as const, dueAt: { $gte: now } },
      { status: "open" as const, dueAt: { $exists: false } },
    ],
  };
}
