import type { Actor } from "@asset-register/rpc";
import { searchTokens } from "@asset-register/runtime";
import type { CustomFieldValues } from "../custom-fields/custom-field.ts";
import type { FinanceFields } from "../finance/finance.ts";
import type { Place } from "../organisation/place.ts";
import { numberKey } from "./asset-number.ts";
import type { Disposal } from "./disposal.ts";
import type { ImageType } from "./image-type.ts";

/** Where and by which reader a tag of the asset was read last. */
export type LastSeen = {
  at: Date;
  readerId: string;
  zoneId?: string | undefined;
  locationId?: string | undefined;
};

/** A tag that is bound to the asset. */
export type AssetTag = {
  id: string;
  type: "qr" | "barcode" | "rfid" | "nfc";
  epc?: string | undefined;
  code?: string | undefined;
};

/** The image of an asset. Its content is a blob. */
export type Image = {
  blobId: string;
  contentType: ImageType;
  bytes: number;
  /** Of the content, in hex. */
  sha256: string;
  updatedAt: Date;
};

/** The fields that a caller may write. */
export type AssetFields = Place &
  FinanceFields & {
    name: string;
    description?: string | undefined;
    categoryId?: string | undefined;
    departmentId?: string | undefined;
    locationId?: string | undefined;
    custodianId?: string | undefined;
    serialNumber?: string | undefined;
    manufacturer?: string | undefined;
    model?: string | undefined;
    customFields?: CustomFieldValues | undefined;
  };

export type Asset = AssetFields & {
  id: string;
  workspaceId: string;
  number: string;
  /** Keys of its earlier numbers, which no other asset ever gets. */
  formerNumbers?: string[] | undefined;
  statusId: string;
  /** ISO 4217, of all amounts. */
  currency: string;
  /** Counts the changes by people and rules, from 1: the sequence of `asset` events. */
  rev: number;
  /** Counts the asset's `movement` and `checkout` events: their sequences. */
  movementCount: number;
  checkoutCount: number;
  /** The time of the last movement. */
  lastMovedAt?: Date | undefined;
  openCheckoutId?: string | undefined;
  disposed?: Disposal | undefined;
  image?: Image | undefined;
  deletedAt?: Date | undefined;
  createdAt: Date;
  createdBy: Actor;
  updatedAt: Date;
  updatedBy: Actor;
  /** Net book value, in minor units. */
  nbv?: number | undefined;
  /** In minor units. */
  accumulatedDepreciation?: number | undefined;
  /** Proceeds less the net book value at disposal, in minor units. */
  gainLoss?: number | undefined;
  lastSeen?: LastSeen | undefined;
  lastAuditedAt?: Date | undefined;
  tags?: AssetTag[] | undefined;
};

/** Fields that are only observed: they never raise `rev`, and no event of the asset carries them. */
export const observedFields = [
  "nbv",
  "accumulatedDepreciation",
  "gainLoss",
  "lastSeen",
  "lastAuditedAt",
  "tags",
] as const satisfies readonly (keyof Asset)[];

/** Which assets a list has; absent means any. */
export type AssetFilter = {
  categoryId?: string | undefined;
  propertyId?: string | undefined;
  locationId?: string | undefined;
  statusId?: string | undefined;
  custodianId?: string | undefined;
  /** One of the asset's words begins with each of these. */
  prefixes: string[];
};

/** Whether a list with this filter has all assets. */
export const hasNoFilter = ({ prefixes, ...fields }: AssetFilter): boolean =>
  prefixes.length === 0 && Object.values(fields).every((value) => value === undefined);

/** A new asset. Its net book value is its cost until a depreciation run publishes another. */
export function newAsset(
  fields: AssetFields,
  given: Pick<Asset, "id" | "workspaceId" | "number" | "statusId" | "currency">,
  at: Date,
  by: Actor,
): Asset {
  return {
    ...fields,
    ...given,
    nbv: fields.cost,
    rev: 1,
    movementCount: 0,
    checkoutCount: 0,
    createdAt: at,
    createdBy: by,
    updatedAt: at,
    updatedBy: by,
  };
}

/** The asset after a change: its rev counts it. */
export function changeAsset(asset: Asset, change: Partial<Asset>, at: Date, by: Actor): Asset {
  return { ...asset, ...change, rev: asset.rev + 1, updatedAt: at, updatedBy: by };
}

/** The net book value of an asset: its cost until finance has published figures for it. */
export function netBookValue({ accumulatedDepreciation, cost, nbv }: Asset): number | undefined {
  return accumulatedDepreciation === undefined ? cost : nbv;
}

/** The words by which a search finds the asset. */
export function assetTokens(
  asset: Pick<Asset, "number" | "name" | "serialNumber" | "manufacturer" | "model" | "tags">,
) {
  return searchTokens(
    numberKey(asset.number),
    asset.name,
    asset.serialNumber,
    asset.manufacturer,
    asset.model,
    ...(asset.tags ?? []).flatMap(({ epc, code }) => [epc, code]),
  );
}
