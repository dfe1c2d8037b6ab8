import { type FieldViolation, scaleMoney, snakeCase } from "@asset-register/runtime";
import { firstDay, later, type Period } from "../schedule/period.ts";
import type { KnownAsset } from "./asset.ts";
import type { CategoryDefaults } from "./category.ts";
import type { ProfileInputs } from "./profile.ts";
import { asRatio } from "./share.ts";
import { macrsConventions, validateInputs } from "./validate-inputs.ts";

type AssetValues = Pick<
  KnownAsset,
  "cost" | "salvageValue" | "usefulLifeMonths" | "inServiceDate" | "depreciationMethod"
>;

const required = ["method", "cost", "inServiceDate"] as const satisfies (keyof ProfileInputs)[];

/** Either valid inputs, or the fields that are missing or wrong. */
export type CheckedInputs =
  | { inputs: ProfileInputs; violations?: undefined }
  | { inputs?: undefined; violations: FieldViolation[] };

/**
 * The inputs of a new profile with all defaults. `month` is the present one in the workspace's time zone: without
 * opening_on, an opening is charged from its first day on.
 */
export function completeInputs(given: Partial<ProfileInputs>, month: Period): CheckedInputs {
  const { method, cost, inServiceDate } = given;
  if (method === undefined || cost === undefined || inServiceDate === undefined) {
    const missing = required.filter((field) => given[field] === undefined);
    return { violations: missing.map((field) => ({ field: snakeCase(field), message: "is required" })) };
  }
  const inputs = withDefaults(
    {
      ...given,
      method,
      cost,
      inServiceDate,
      salvage: given.salvage ?? 0,
      openingAccumulated: given.openingAccumulated ?? 0,
    },
    month,
  );
  const names = Object.keys(given) as (keyof ProfileInputs)[];
  const violations = validateInputs(inputs, names);
  return violations.length > 0 ? { violations } : { inputs };
}

type Uncompleted = Omit<ProfileInputs, "convention"> & Partial<Pick<ProfileInputs, "convention">>;

/** Fills in what depends on other fields: the convention, the factor and the day of the opening. */
export function withDefaults(inputs: Uncompleted, month: Period): ProfileInputs {
  const { method, macrsClass, inServiceDate, factor, rate } = inputs;
  const convention = method === "macrs" ? (macrsConventions(macrsClass)[0] ?? "half_year") : "full_month";
  const declining = method === "declining_balance" && factor === undefined && rate === undefined;
  const opening = inputs.openingAccumulated > 0 && inputs.openingOn === undefined;
  return {
    ...inputs,
    convention: inputs.convention ?? convention,
    factor: declining ? 2 : factor,
    switchToSl: method === "declining_balance" ? (inputs.switchToSl ?? declining) : inputs.switchToSl,
    openingOn: opening ? later(firstDay(month), inServiceDate) : inputs.openingOn,
  };
}

/**
 * The profile in `book` that follows from an asset's own fields. The nearest category with defaults fills the missing
 * ones. Undefined until cost, life, in-service date and method are known, and for macrs and units of production: only a
 * caller makes those profiles. `violations` if the values make no valid profile.
 */
export function seedInputs(
  asset: AssetValues,
  category: CategoryDefaults | undefined,
  month: Period,
): CheckedInputs | undefined {
  const known = knownInputs(asset, category);
  const { method, cost, lifeMonths, inServiceDate } = known;
  if (cost === undefined || inServiceDate === undefined || method === undefined || lifeMonths === undefined) {
    return undefined;
  }
  if (method === "macrs" || method === "units_of_production") return undefined;
  return completeInputs(known, month);
}

/** The values of an asset. Its category fills the missing ones. */
export function knownInputs(
  asset: AssetValues,
  category: CategoryDefaults | undefined,
): Partial<ProfileInputs> {
  const { cost, inServiceDate } = asset;
  const method = asset.depreciationMethod ?? category?.method;
  const salvage =
    asset.salvageValue ?? (cost === undefined ? undefined : salvageOf(cost, category?.salvagePercent));
  return {
    ...{ method, cost, salvage, inServiceDate },
    lifeMonths: asset.usefulLifeMonths ?? category?.usefulLifeMonths,
    // A category has no method and convention that contradict each other. The asset may have another method.
    convention: method === "macrs" && category?.method !== "macrs" ? undefined : category?.convention,
  };
}

/** The fields of an asset that a profile of `book` takes over. An empty field changes nothing. */
export function assetInputs(asset: AssetValues): Partial<ProfileInputs> {
  const values = {
    method: asset.depreciationMethod,
    cost: asset.cost,
    salvage: asset.salvageValue,
    lifeMonths: asset.usefulLifeMonths,
    inServiceDate: asset.inServiceDate,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function salvageOf(cost: number, percent = 0): number {
  const [numerator, denominator] = asRatio(percent);
  return scaleMoney(cost, numerator, denominator * 100n);
}
