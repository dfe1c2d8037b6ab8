import type { FieldViolation } from "@asset-register/runtime";
import type { DepreciationMethod } from "./finance.ts";

/** How much of the first and the last period is depreciated. finance applies it. */
export type DepreciationConvention =
  | "full_month"
  | "next_month"
  | "mid_month"
  | "daily"
  | "half_year"
  | "mid_quarter";

/** Used for what an asset of the category leaves out when finance creates its profile. */
export type CategoryDepreciation = {
  method?: DepreciationMethod | undefined;
  usefulLifeMonths?: number | undefined;
  /** Percent of the cost, 0 to 100, with at most two decimals. */
  salvagePercent?: number | undefined;
  convention?: DepreciationConvention | undefined;
};

/** The conventions of the MACRS tables (IRS Pub. 946). mid_month is that of the class of 39 years. */
const macrsConventions: readonly (DepreciationConvention | undefined)[] = [
  undefined,
  "half_year",
  "mid_quarter",
  "mid_month",
];

/** The fields that contradict one another, by their paths in HTTP. */
export function depreciationViolations(depreciation: CategoryDepreciation = {}): FieldViolation[] {
  const { method, convention } = depreciation;
  if (method !== "macrs" || macrsConventions.includes(convention)) return [];
  return [
    {
      field: "depreciation.convention",
      message: "must be half_year, mid_quarter or mid_month for macrs",
    },
  ];
}

/** The settings without empty fields; undefined when none is left. */
export function compactDepreciation(
  depreciation: CategoryDepreciation | undefined,
): CategoryDepreciation | undefined {
  const set = Object.entries(depreciation ?? {}).filter(([, value]) => value !== undefined);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}
