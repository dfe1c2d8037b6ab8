import type { DepreciationConvention, DepreciationMethod } from "./profile.ts";

/** The defaults of a category for assets that lack these values. */
export type CategoryDefaults = {
  method?: DepreciationMethod | undefined;
  usefulLifeMonths?: number | undefined;
  /** Of the cost, with at most two decimals. */
  salvagePercent?: number | undefined;
  convention?: DepreciationConvention | undefined;
};
