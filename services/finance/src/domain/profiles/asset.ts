import type { Actor } from "@asset-register/rpc";
import type { DepreciationMethod } from "./profile.ts";

export type DisposalMethod = "sold" | "scrapped" | "donated" | "lost" | "transferred";

/** How an asset was disposed of, as register has it. */
export type AssetDisposal = {
  /** YYYY-MM-DD. */
  date: string;
  method: DisposalMethod;
  /** Minor units; 0 without proceeds. */
  proceeds: number;
};

/** This service's copy of an asset. Amounts are minor units. */
export type KnownAsset = {
  id: string;
  categoryId?: string | undefined;
  cost?: number | undefined;
  salvageValue?: number | undefined;
  usefulLifeMonths?: number | undefined;
  inServiceDate?: string | undefined;
  depreciationMethod?: DepreciationMethod | undefined;
  statusKey?: string | undefined;
  disposal?: AssetDisposal | undefined;
  deletedAt?: Date | undefined;
  /** The actor of its last change. */
  updatedBy?: Actor | undefined;
  rev: number;
};
