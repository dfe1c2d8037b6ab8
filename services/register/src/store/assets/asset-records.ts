import { defineRecords, embedded, embeddedActor } from "@asset-register/mongo";
import { type Asset, assetTokens, observedFields } from "../../domain/assets/asset.ts";
import { sortKey } from "../../domain/assets/asset-list.ts";
import { numberKey } from "../../domain/assets/asset-number.ts";
import { isLive } from "../../domain/organisation/scope.ts";
import { assetIndexes, LIST_INDEX, orderIndex } from "./asset-indexes.ts";

/** `deleted` and `live` make counts covered by the index. */
type AssetKeys = {
  numberKey: string;
  nameKey: string;
  numberKeys: string[];
  tokens: string[];
  deleted: boolean;
  live: boolean;
  /** Epoch and sequence of the newest event of finance. */
  financeEpoch: number;
  financeSequence: number;
};

/** The unique index of asset numbers. */
export const NUMBER_INDEX = "number";
/** The sorts of lists, with their fields. */
export const sorts = { updated_at: "updatedAt", name: "nameKey", number: "numberKey" };

/** Deleted assets keep their documents, so that a number is never given twice. */
export const assetRecords = defineRecords<Asset, AssetKeys>({
  collection: "assets",
  name: "asset",
  fields: {
    number: String,
    formerNumbers: [String],
    name: String,
    description: String,
    categoryId: String,
    departmentId: String,
    propertyId: String,
    buildingId: String,
    floorId: String,
    locationId: String,
    custodianId: String,
    statusId: String,
    serialNumber: String,
    manufacturer: String,
    model: String,
    cost: Number,
    salvageValue: Number,
    usefulLifeMonths: Number,
    inServiceDate: String,
    depreciationMethod: String,
    supplier: String,
    purchaseOrder: String,
    invoiceNumber: String,
    currency: String,
    rev: Number,
    movementCount: Number,
    checkoutCount: Number,
    lastMovedAt: Date,
    openCheckoutId: String,
    disposed: embedded({
      at: Date,
      date: String,
      method: String,
      proceeds: Number,
      note: String,
      by: embeddedActor(),
    }),
    image: embedded({ blobId: String, contentType: String, bytes: Number, sha256: String, updatedAt: Date }),
    customFields: Object,
    deletedAt: Date,
    createdAt: Date,
    createdBy: embeddedActor(),
    updatedAt: Date,
    updatedBy: embeddedActor(),
    nbv: Number,
    accumulatedDepreciation: Number,
    gainLoss: Number,
    lastSeen: embedded({ at: Date, readerId: String, zoneId: String, locationId: String }),
    lastAuditedAt: Date,
    tags: [embedded({ id: String, type: String, epc: String, code: String })],
  },
  beside: {
    numberKey: String,
    nameKey: String,
    numberKeys: [String],
    tokens: [String],
    deleted: Boolean,
    live: Boolean,
    financeEpoch: Number,
    financeSequence: Number,
  },
  derive: (asset) => ({
    live: isLive(asset),
    numberKey: numberKey(asset.number),
    nameKey: sortKey(asset.name),
    numberKeys: [...new Set([numberKey(asset.number), ...(asset.formerNumbers ?? [])])],
    tokens: assetTokens(asset),
    deleted: asset.deletedAt !== undefined,
  }),
  observed: observedFields,
  counted: { deleted: false },
  indexes: [
    // Numbers of the past too: the index compares documents, so an asset may take its own number back.
    { name: NUMBER_INDEX, key: { workspaceId: 1, numberKeys: 1 }, unique: true },
    // The order of the whole list, and one index for each sort.
    { name: LIST_INDEX, key: { workspaceId: 1, deleted: 1, _id: 1 } },
    ...Object.values(sorts).map((field) => ({
      name: orderIndex(field),
      key: { workspaceId: 1, deleted: 1, [field]: 1, _id: 1 } as const,
    })),
    ...assetIndexes,
    {
      name: "seen",
      key: { workspaceId: 1, live: 1, _id: 1 },
      partialFilterExpression: { "lastSeen.at": { $exists: true } },
    },
    {
      name: "image",
      key: { workspaceId: 1, "image.blobId": 1 },
      partialFilterExpression: { "image.blobId": { $exists: true } },
    },
  ],
});
