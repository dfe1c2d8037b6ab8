import { describe, expect, it } from "vitest";
import { inputsOf } from "../../../test/schedules.ts";
import type { ProfileInputs } from "./profile.ts";
import { LAST_DATE, validateInputs } from "./validate-inputs.ts";

const violationsOf = (inputs: Partial<ProfileInputs>, ...given: (keyof ProfileInputs)[]) =>
  Object.fromEntries(validateInputs(inputsOf(inputs), given).map(({ field, message }) => [field, message]));

const declining = { method: "declining_balance" } as const;
const macrs = { method: "macrs", macrsClass: "5y", convention: "half_year" } as const;
const units = { method: "units_of_production", lifeMonths: undefined } as const;
const life = { life_months: "must be a whole number from 1 to 1200" };
const conventions = (of: string) => ({ convention: `must be half_year or mid_quarter for ${of}` });
const onlyDeclining = "is only for declining_balance";
const rate = { rate: "must be more than 0 and at most 100, with at most 4 decimals" };
const totalUnits = { total_units: "must be more than 0, with at most 3 decimals" };
const tooSmall = "the salvage must not be more than the cost";
const opening = "the opening must not be more than the cost less the salvage";
const openingOn = "the opening must not be before the in-service date";

describe("the inputs of a profile", () => {
  const refused: [string, Partial<ProfileInputs>, Record<string, string>][] = [
    [
      "a negative cost",
      { cost: -1, salvage: -2 },
      { cost: "must not be negative", salvage: "must not be negative" },
    ],
    ["a fraction of a minor unit", { cost: 0.5 }, { cost: "must not be negative" }],
    [
      "an amount that is no exact number",
      { cost: 2 ** 53, openingAccumulated: -1 },
      { cost: "must not be negative", opening_accumulated: "must not be negative" },
    ],
    ["a salvage above the cost", { salvage: 120_001 }, { salvage: tooSmall }],
    [
      "an opening above cost less salvage",
      { salvage: 20_000, openingAccumulated: 100_001 },
      { opening_accumulated: opening },
    ],
    [
      "an opening above the cost by macrs",
      { ...macrs, openingAccumulated: 120_001 },
      { opening_accumulated: opening },
    ],
    [
      "opening_on without an opening",
      { openingOn: "2027-02-01" },
      { opening_on: "is only for a profile with opening_accumulated" },
    ],
    [
      "opening_on before in service",
      { openingAccumulated: 1, openingOn: "2026-12-31" },
      { opening_on: openingOn },
    ],
    [
      "a day that does not exist",
      { heldForSaleOn: "2027-02-29" },
      { held_for_sale_on: "must be a date YYYY-MM-DD" },
    ],
    [
      "a year of five digits, after a life",
      { inServiceDate: "9000-01-01" },
      { in_service_date: "must not be after 8999-12-31" },
    ],
    ["no life", { lifeMonths: undefined }, { life_months: "is required for this method" }],
    ["a life of 0", { lifeMonths: 0 }, life],
    ["a life of 1201", { lifeMonths: 1201 }, life],
    ["a life of half months", { lifeMonths: 1.5 }, life],
    [
      "no whole years of sum of years' digits",
      { method: "sum_of_years_digits", lifeMonths: 30 },
      { life_months: "must be whole years for sum_of_years_digits" },
    ],
    ["a factor of straight line", { factor: 2 }, { factor: onlyDeclining }],
    [
      "a rate of straight line",
      { rate: 2, switchToSl: false },
      { rate: onlyDeclining, switch_to_sl: onlyDeclining },
    ],
    [
      "factor and rate",
      { ...declining, factor: 2, rate: 20 },
      { rate: "must not be given together with factor" },
    ],
    ["an unknown factor", { ...declining, factor: 3 }, { factor: "must be one of 2, 1.5, 1.25" }],
    ["a rate of 0", { ...declining, rate: 0 }, rate],
    ["a rate above 100", { ...declining, rate: 100.5 }, rate],
    ["a rate with 5 decimals", { ...declining, rate: 33.33333 }, rate],
    ["macrs without a class", { ...macrs, macrsClass: undefined }, { macrs_class: "is required for macrs" }],
    ["a class of straight line", { macrsClass: "5y" }, { macrs_class: "is only for macrs" }],
    [
      "an unknown class",
      { ...macrs, macrsClass: "6y" as "5y" },
      { macrs_class: "must be one of 3y, 5y, 7y, 10y, 15y, 20y, 39y" },
    ],
    ["macrs 5y with full_month", { ...macrs, convention: "full_month" }, conventions("5y")],
    ["macrs 5y with mid_month", { ...macrs, convention: "mid_month" }, conventions("5y")],
    [
      "macrs 39y with half_year",
      { ...macrs, macrsClass: "39y" },
      { convention: "must be mid_month for 39y" },
    ],
    ["units of production without units", units, { total_units: "is required for units_of_production" }],
    ["no units", { ...units, totalUnits: 0 }, totalUnits],
    ["too many units", { ...units, totalUnits: 1_000_000_000_001 }, totalUnits],
    ["units with 4 decimals", { ...units, totalUnits: 1.0001 }, totalUnits],
    ["units of straight line", { totalUnits: 5 }, { total_units: "is only for units_of_production" }],
  ];
  it.each(refused)("%s is refused", (_title, inputs, violations) => {
    expect(violationsOf(inputs)).toEqual(violations);
  });

  const accepted: [string, Partial<ProfileInputs>][] = [
    ["a base of 0", { salvage: 120_000 }],
    ["an opening of all", { salvage: 20_000, openingAccumulated: 100_000, openingOn: "2027-01-01" }],
    ["nothing at all", { cost: 0 }],
    ["the last date", { inServiceDate: LAST_DATE }],
    ["the shortest life", { lifeMonths: 1 }],
    ["the longest life", { lifeMonths: 1200 }],
    ["whole years of sum of years' digits", { method: "sum_of_years_digits" }],
    [
      "macrs 39y with mid_month, no life, a salvage above the cost, an opening of the cost",
      {
        ...{ ...macrs, macrsClass: "39y", convention: "mid_month", lifeMonths: undefined },
        ...{ salvage: 500_000, openingAccumulated: 120_000, openingOn: "2027-02-01" },
      },
    ],
    ["macrs 5y with mid_quarter", { ...macrs, convention: "mid_quarter" }],
    ["a factor", { ...declining, factor: 1.25 }],
    ["a rate with 4 decimals", { ...declining, rate: 33.3333 }],
    ["a rate of 100", { ...declining, rate: 100 }],
    ["manual without a life", { method: "manual", lifeMonths: undefined }],
    ["units with 3 decimals", { ...units, totalUnits: 1.001 }],
    ["the most units", { ...units, totalUnits: 1_000_000_000_000 }],
  ];
  it.each(accepted)("%s is valid", (_title, inputs) => expect(violationsOf(inputs)).toEqual({}));

  it("of two fields that contradict each other, the given one is named", () => {
    expect(violationsOf({ salvage: 120_001 }, "cost")).toEqual({ cost: tooSmall });
    expect(violationsOf({ salvage: 120_001 }, "cost", "salvage")).toEqual({ salvage: tooSmall });
    const opened = { salvage: 20_000, openingAccumulated: 100_001 };
    expect(violationsOf(opened, "salvage")).toEqual({ salvage: opening });
    expect(violationsOf(opened, "salvage", "cost")).toEqual({ cost: opening });
    const before = { openingAccumulated: 1, openingOn: "2026-12-31" };
    expect(violationsOf(before, "inServiceDate")).toEqual({ in_service_date: openingOn });
  });
});
