import type { DepreciationConvention, DepreciationMethod } from "./profile.ts";

/** What a category gives to assets that leave it out. */
export type CategoryDefaults = {
  method?: DepreciationMethod | undefined;
  usefulLifeMonths?: number | undefined;
  /** Of the cost, with at most two decimals. */
  salvagePercent?: number | undefined;
  convention?: DepreciationConvention | undefined;
};
