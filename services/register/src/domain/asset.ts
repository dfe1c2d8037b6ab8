import type { Actor } from "./actor.ts";
import { numberKey } from "./asset-number.ts";
import type { FinanceFields } from "./finance.ts";
import type { Place } from "./place.ts";
import { searchTokens } from "./search-tokens.ts";

/** Where and by what an asset's tag was read last. */
export type LastSeen = { at: Date; readerId: string; zoneId: string; locationId: string };

/** What a caller says of a new asset; its references and its place are already checked. */
export type AssetFields = Place & {
  name: string;
  description?: string | undefined;
  categoryId?: string | undefined;
  departmentId?: string | undefined;
  locationId?: string | undefined;
  custodianId?: string | undefined;
  serialNumber?: string | undefined;
  manufacturer?: string | undefined;
  model?: string | undefined;
};

export type Asset = AssetFields & {
  id: string;
  workspaceId: string;
  number: string;
  statusId: string;
  finance: FinanceFields;
  /** ISO 4217, of the amounts in finance and nbv. */
  currency: string;
  /** Counts the changes by people and rules, from 1; the sequence of `asset` events. */
  rev: number;
  /** How many `movement` and `checkout` events the asset has had: their sequences. */
  movementCount: number;
  checkoutCount: number;
  openCheckoutId?: string | undefined;
  disposedAt?: Date | undefined;
  deletedAt?: Date | undefined;
  createdAt: Date;
  createdBy: Actor;
  updatedAt: Date;
  updatedBy: Actor;
  // Observed: never part of rev, never in an event of the asset.
  nbv?: number | undefined;
  lastSeen?: LastSeen | undefined;
};

/** Which assets a list is of; absent means any. */
export type AssetFilter = {
  categoryId?: string | undefined;
  propertyId?: string | undefined;
  locationId?: string | undefined;
  statusId?: string | undefined;
  custodianId?: string | undefined;
  /** Each must begin one of the asset's words. */
  prefixes: string[];
};

/** What a new asset begins with. Its net book value is its cost until a depreciation run says otherwise. */
export function newAsset(given: {
  id: string;
  workspaceId: string;
  number: string;
  statusId: string;
  currency: string;
  fields: AssetFields;
  finance: FinanceFields;
  at: Date;
  by: Actor;
}): Asset {
  return {
    ...given.fields,
    id: given.id,
    workspaceId: given.workspaceId,
    number: given.number,
    statusId: given.statusId,
    currency: given.currency,
    finance: given.finance,
    nbv: given.finance.cost,
    rev: 1,
    movementCount: 0,
    checkoutCount: 0,
    createdAt: given.at,
    createdBy: given.by,
    updatedAt: given.at,
    updatedBy: given.by,
  };
}

/** The asset after a change by `by`: its rev counts it. */
export function changed(asset: Asset, change: Partial<Asset>, at: Date, by: Actor): Asset {
  return { ...asset, ...change, rev: asset.rev + 1, updatedAt: at, updatedBy: by };
}

/** The words that a search for the asset matches. */
export function assetTokens(
  asset: Pick<Asset, "number" | "name" | "serialNumber" | "manufacturer" | "model">,
) {
  return searchTokens(
    numberKey(asset.number),
    asset.name,
    asset.serialNumber,
    asset.manufacturer,
    asset.model,
  );
}
