import type { Actor } from "@asset-register/rpc";
import type { KnownAsset } from "../assets/asset.ts";

export type ContractType = "warranty" | "service" | "insurance";

/** The fields that a caller may change. Dates are YYYY-MM-DD, the cost is in minor units. */
export type ContractFields = {
  type: ContractType;
  provider?: string | undefined;
  reference?: string | undefined;
  startsOn: string;
  /** The last day. Without it the contract never expires. */
  endsOn?: string | undefined;
  /** For the whole period. */
  cost?: number | undefined;
  notes?: string | undefined;
};

/** A contract about an asset. */
export type Contract = ContractFields & {
  id: string;
  workspaceId: string;
  assetId: string;
  /** That of the workspace. */
  currency: string;
  cancelledAt?: Date | undefined;
  createdAt: Date;
  createdBy: Actor;
  rev: number;
};

/** A contract as callers see it on a day. Events have neither the status nor anything of the asset. */
export type ContractView = { contract: Contract; today?: string | undefined; asset?: KnownAsset | undefined };
