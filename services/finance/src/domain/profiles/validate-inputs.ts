import { type FieldViolation, isCalendarDate, snakeCase } from "@asset-register/runtime";
import {
  type DepreciationConvention,
  decliningFactors,
  type MacrsClass,
  macrsClasses,
  type ProfileInputs,
} from "./profile.ts";
import { hasDecimals } from "./share.ts";

const MAX_LIFE = 1200;
/** So that no month of a life has a year of five digits. */
export const LAST_DATE = "8999-12-31";
/** Like the values of meters: in thousandths it is an exact number. */
const MAX_UNITS = 1_000_000_000_000;

/** The conventions of a class of MACRS; the first is its default. */
export function macrsConventions(macrsClass: MacrsClass | undefined): DepreciationConvention[] {
  return macrsClass === "39y" ? ["mid_month"] : ["half_year", "mid_quarter"];
}

/**
 * The fields that make no valid profile, by their names in HTTP. Of two fields that contradict each other it names the
 * one that is in `given`.
 */
export function validateInputs(
  inputs: ProfileInputs,
  given: readonly (keyof ProfileInputs)[] = [],
): FieldViolation[] {
  const found: FieldViolation[] = [];
  const add = (field: keyof ProfileInputs, message: string) =>
    found.push({ field: snakeCase(field), message });
  const oneOf = (first: keyof ProfileInputs, ...others: (keyof ProfileInputs)[]) =>
    [first, ...others].find((name) => given.includes(name)) ?? first;
  const isMacrs = inputs.method === "macrs";
  const { cost, salvage, openingAccumulated, openingOn, inServiceDate } = inputs;
  for (const field of ["cost", "salvage", "openingAccumulated"] as const) {
    if (!Number.isSafeInteger(inputs[field]) || inputs[field] < 0) add(field, "must not be negative");
  }
  if (!isMacrs && salvage > cost) add(oneOf("salvage", "cost"), "the salvage must not be more than the cost");
  else if (openingAccumulated > cost - (isMacrs ? 0 : salvage)) {
    add(
      oneOf("openingAccumulated", "cost", "salvage"),
      "the opening must not be more than the cost less the salvage",
    );
  }
  if (openingOn !== undefined) {
    if (openingAccumulated === 0) add("openingOn", "is only for a profile with opening_accumulated");
    else if (openingOn < inServiceDate) {
      add(oneOf("openingOn", "inServiceDate"), "the opening must not be before the in-service date");
    }
  }
  for (const field of ["inServiceDate", "openingOn", "heldForSaleOn"] as const) {
    const date = inputs[field];
    if (date === undefined) continue;
    if (!isCalendarDate(date)) add(field, "must be a date YYYY-MM-DD");
    else if (date > LAST_DATE) add(field, `must not be after ${LAST_DATE}`);
  }
  for (const [field, message] of lifeViolations(inputs)) add(field, message);
  for (const [field, message] of methodViolations(inputs)) add(field, message);
  return found;
}

type Violation = [field: keyof ProfileInputs, message: string];

function lifeViolations({ method, lifeMonths }: ProfileInputs): Violation[] {
  if (lifeMonths === undefined) {
    const isOptional = method === "macrs" || method === "units_of_production" || method === "manual";
    return isOptional ? [] : [["lifeMonths", "is required for this method"]];
  }
  if (!Number.isInteger(lifeMonths) || lifeMonths < 1 || lifeMonths > MAX_LIFE) {
    return [["lifeMonths", `must be a whole number from 1 to ${MAX_LIFE}`]];
  }
  if (method === "sum_of_years_digits" && lifeMonths % 12 !== 0) {
    return [["lifeMonths", "must be whole years for sum_of_years_digits"]];
  }
  return [];
}

function methodViolations(inputs: ProfileInputs): Violation[] {
  return [...decliningViolations(inputs), ...macrsViolations(inputs), ...unitViolations(inputs)];
}

function decliningViolations({ method, factor, rate, switchToSl }: ProfileInputs): Violation[] {
  if (method !== "declining_balance") {
    const message = "is only for declining_balance";
    return Object.entries({ factor, rate, switchToSl }).flatMap(([field, value]): Violation[] =>
      value === undefined ? [] : [[field as "factor", message]],
    );
  }
  if (factor !== undefined && rate !== undefined) return [["rate", "must not be given together with factor"]];
  if (factor !== undefined && !decliningFactors.some((one) => one === factor)) {
    return [["factor", `must be one of ${decliningFactors.join(", ")}`]];
  }
  if (rate !== undefined && !(rate > 0 && rate <= 100 && hasDecimals(rate, 4))) {
    return [["rate", "must be more than 0 and at most 100, with at most 4 decimals"]];
  }
  return [];
}

function macrsViolations({ method, macrsClass, convention }: ProfileInputs): Violation[] {
  if (method !== "macrs") return macrsClass === undefined ? [] : [["macrsClass", "is only for macrs"]];
  if (macrsClass === undefined) return [["macrsClass", "is required for macrs"]];
  if (!macrsClasses.includes(macrsClass))
    return [["macrsClass", `must be one of ${macrsClasses.join(", ")}`]];
  const allowed = macrsConventions(macrsClass);
  if (allowed.includes(convention)) return [];
  return [["convention", `must be ${allowed.join(" or ")} for ${macrsClass}`]];
}

function unitViolations({ method, totalUnits }: ProfileInputs): Violation[] {
  if (method !== "units_of_production") {
    return totalUnits === undefined ? [] : [["totalUnits", "is only for units_of_production"]];
  }
  if (totalUnits === undefined) return [["totalUnits", "is required for units_of_production"]];
  if (totalUnits > 0 && totalUnits <= MAX_UNITS && hasDecimals(totalUnits, 3)) return [];
  return [["totalUnits", "must be more than 0, with at most 3 decimals"]];
}
