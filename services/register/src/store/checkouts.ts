import { type ClientSession, type Index, isDuplicateKey, listPage, type Mongo } from "@asset-register/mongo";
import { conflict } from "@asset-register/runtime";
import type { mongo } from "mongoose";
import type { Checkout, CheckoutFilter } from "../domain/checkout.ts";
import type { PageOf, PageWanted } from "../domain/page.ts";
import { type CheckoutDocument, fromDocument, toDocument } from "./checkout-document.ts";
import { given } from "./fields.ts";

const OPEN_INDEX = "open";

/** Checkouts. The database itself holds that an asset is out once only. */
export function checkoutStore(mongo: Mongo) {
  const checkouts = mongo.collection<CheckoutDocument>("checkouts");
  return {
    async get(workspaceId: string, id: string, session?: ClientSession): Promise<Checkout | undefined> {
      const options = session ? { session } : {};
      const row = await checkouts.findOne({ _id: id, workspaceId }, options);
      return row ? fromDocument(row) : undefined;
    },

    async list(
      workspaceId: string,
      filter: CheckoutFilter,
      now: Date,
      page: PageWanted,
    ): Promise<PageOf<Checkout>> {
      const found = await listPage(checkouts, {
        workspaceId,
        filter: checkoutFilter(filter, now),
        ...page,
        // "Overdue" depends on the time: its total has nothing to share.
        ...(filter.overdue !== undefined && { countCacheMs: 0 }),
      });
      return { ...found, items: found.items.map(fromDocument) };
    },

    async insert(workspaceId: string, checkout: Checkout, session: ClientSession): Promise<void> {
      try {
        const document = { ...toDocument(checkout), workspaceId };
        await checkouts.insertOne(document, { session, ignoreUndefined: true });
      } catch (error) {
        if (!isDuplicateKey(error, OPEN_INDEX)) throw error;
        throw conflict("ASSET_CHECKED_OUT", "The asset is checked out already.");
      }
    },

    /** Saves a returned checkout, if nobody else has changed it since `rev`. */
    async save(workspaceId: string, checkout: Checkout, rev: number, session: ClientSession): Promise<void> {
      const { _id, workspaceId: _own, ...fields } = toDocument(checkout);
      const { matchedCount } = await checkouts.updateOne(
        { _id, workspaceId, rev },
        { $set: fields },
        { session, ignoreUndefined: true },
      );
      if (matchedCount === 0) throw conflict("CONFLICT", "The checkout was changed by somebody else.");
    },
  };
}

function checkoutFilter(filter: CheckoutFilter, now: Date): mongo.Filter<CheckoutDocument> {
  const { overdue } = filter;
  const base = given({
    asset_id: filter.assetId,
    status: filter.status,
    issued_to_id: filter.issuedToId,
  });
  if (overdue === undefined) return base;
  if (overdue) return { $and: [base, { status: "open", due_at: { $lt: now } }] };
  return {
    ...base,
    $or: [
      { status: "returned" },
      { status: "open", due_at: { $gte: now } },
      { status: "open", due_at: { $exists: false } },
    ],
  };
}

export const checkoutIndexes: readonly Index[] = [
  {
    name: OPEN_INDEX,
    key: { workspaceId: 1, asset_id: 1 },
    unique: true,
    partialFilterExpression: { status: "open" },
  },
  { name: "list", key: { workspaceId: 1, _id: 1 } },
  { name: "asset", key: { workspaceId: 1, asset_id: 1, _id: 1 } },
  { name: "holder", key: { workspaceId: 1, issued_to_id: 1, _id: 1 } },
  { name: "status", key: { workspaceId: 1, status: 1, _id: 1 } },
  { name: "due", key: { workspaceId: 1, status: 1, due_at: 1, _id: 1 } },
];
