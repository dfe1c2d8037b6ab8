import { type ClientSession, type Index, isDuplicateKey, listPage, type Mongo } from "@asset-register/mongo";
import { conflict } from "@asset-register/runtime";
import type { Asset, AssetFilter } from "../domain/asset.ts";
import { numberKey } from "../domain/asset-number.ts";
import type { PageOf, PageWanted } from "../domain/page.ts";
import type { Sighting } from "../domain/sighting.ts";
import {
  type AssetDocument,
  fromDocument,
  toDocument,
  toLastSeenDocument,
  toStored,
} from "./asset-document.ts";
import { assign, given } from "./fields.ts";

const NUMBER_INDEX = "number";

/** Assets. Deleted ones keep their row, so that numbers are never given twice. */
export function assetStore(mongo: Mongo) {
  const assets = mongo.collection<AssetDocument>("assets");
  return {
    async get(workspaceId: string, id: string, session?: ClientSession): Promise<Asset | undefined> {
      const options = session ? { session } : {};
      const document = await assets.findOne({ _id: id, workspaceId, deleted: false }, options);
      return document ? fromDocument(document) : undefined;
    },

    /** The deleted ones too. */
    async getAll(workspaceId: string, ids: string[], session: ClientSession): Promise<Asset[]> {
      const rows = assets.find({ workspaceId, _id: { $in: ids } }, { session });
      return (await rows.toArray()).map(fromDocument);
    },

    async list(workspaceId: string, filter: AssetFilter, page: PageWanted): Promise<PageOf<Asset>> {
      const found = await listPage(assets, {
        workspaceId,
        filter: assetFilter(filter),
        ...page,
        ...(isWhole(filter) && { countCacheMs: 0 }),
      });
      return { ...found, items: found.items.map(fromDocument) };
    },

    async insert(workspaceId: string, asset: Asset, session: ClientSession): Promise<void> {
      const document = { ...toDocument(asset), workspaceId };
      await assets.insertOne(document, { session, ignoreUndefined: true });
    },

    /** Saves what people and rules changed, if nobody else has since `rev`. */
    async save(workspaceId: string, asset: Asset, rev: number, session: ClientSession): Promise<void> {
      const { matchedCount } = await assets.updateOne(
        { _id: asset.id, workspaceId, rev },
        assign(toStored(asset)),
        { session, ignoreUndefined: true },
      );
      if (matchedCount === 0) throw conflict("CONFLICT", "The asset was changed by somebody else.");
    },

    /** Which of these numbers, without case, are given already, also to deleted assets. */
    async takenNumbers(workspaceId: string, numbers: string[]): Promise<Set<string>> {
      const rows = assets.find(
        { workspaceId, number_key: { $in: numbers.map(numberKey) } },
        { projection: { _id: 0, number_key: 1 } },
      );
      return new Set((await rows.toArray()).map((row) => row.number_key));
    },

    /** Sets what was observed, only forwards in time; neither `rev` nor `updated_at` moves. */
    async observe(sightings: Sighting[]): Promise<void> {
      if (sightings.length === 0) return;
      await assets.bulkWrite(
        sightings.map((sighting) => ({
          updateOne: {
            filter: {
              _id: sighting.assetId,
              workspaceId: sighting.workspaceId,
              $or: [{ last_seen: { $exists: false } }, { "last_seen.at": { $lt: sighting.at } }],
            },
            update: { $set: { last_seen: toLastSeenDocument(sighting) } },
          },
        })),
        { ordered: false },
      );
    },
  };
}

/** Whether a write failed because its asset number is given already. */
export function isNumberTaken(error: unknown): boolean {
  return isDuplicateKey(error, NUMBER_INDEX);
}

/** The total of a list without a filter is never kept: who adds an asset sees it counted. */
function isWhole({ prefixes, ...fields }: AssetFilter): boolean {
  return prefixes.length === 0 && Object.values(fields).every((value) => value === undefined);
}

function assetFilter(filter: AssetFilter) {
  return {
    deleted: false,
    ...given({
      category_id: filter.categoryId,
      property_id: filter.propertyId,
      location_id: filter.locationId,
      status_id: filter.statusId,
      custodian_id: filter.custodianId,
    }),
    // Words hold letters, marks and digits only: nothing that a pattern would read as its own.
    ...(filter.prefixes.length > 0 && {
      $and: filter.prefixes.map((prefix) => ({ tokens: { $regex: `^${prefix}` } })),
    }),
  };
}

const filters = ["category_id", "property_id", "location_id", "status_id", "custodian_id", "tokens"];

/** One for each filter, each ending in the order of lists; `deleted` makes counts covered. */
export const assetIndexes: readonly Index[] = [
  { name: NUMBER_INDEX, key: { workspaceId: 1, number_key: 1 }, unique: true },
  { name: "list", key: { workspaceId: 1, deleted: 1, _id: 1 } },
  ...filters.map((field) => ({ name: field, key: { workspaceId: 1, deleted: 1, [field]: 1, _id: 1 } })),
];
