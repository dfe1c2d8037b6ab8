import type { Actor } from "@asset-register/rpc";
import type { CalendarDate, Period } from "../schedule/period.ts";

export type Book = "book" | "tax";

export type DepreciationMethod =
  | "straight_line"
  | "declining_balance"
  | "sum_of_years_digits"
  | "units_of_production"
  | "manual"
  | "macrs";

export type DepreciationConvention =
  | "full_month"
  | "next_month"
  | "mid_month"
  | "daily"
  | "half_year"
  | "mid_quarter";

export const macrsClasses = ["3y", "5y", "7y", "10y", "15y", "20y", "39y"] as const;
export type MacrsClass = (typeof macrsClasses)[number];

/** The factors of declining balance. */
export const decliningFactors = [2, 1.5, 1.25] as const;

/** The values that a schedule is computed from. Amounts are minor units. */
export type ProfileInputs = {
  method: DepreciationMethod;
  convention: DepreciationConvention;
  cost: number;
  salvage: number;
  /** The total life from inServiceDate, 1 to 1200. */
  lifeMonths?: number | undefined;
  inServiceDate: CalendarDate;
  /** Of declining balance, one of `decliningFactors`. At most one of factor and rate. */
  factor?: number | undefined;
  /** Of declining balance, percent a year with at most 4 decimals. */
  rate?: number | undefined;
  /** Of declining balance. */
  switchToSl?: boolean | undefined;
  macrsClass?: MacrsClass | undefined;
  /** Of units of production, with at most 3 decimals. */
  totalUnits?: number | undefined;
  /** Charged elsewhere before. 0 means that there is no opening. */
  openingAccumulated: number;
  /** The first day that is not yet charged. Only with an opening. */
  openingOn?: CalendarDate | undefined;
  /** No charge from this day on. */
  heldForSaleOn?: CalendarDate | undefined;
};

/** The inputs that can be absent. */
export type OptionalInput = {
  [K in keyof ProfileInputs]-?: undefined extends ProfileInputs[K] ? K : never;
}[keyof ProfileInputs];

const inputs = {
  method: true,
  convention: true,
  cost: true,
  salvage: true,
  lifeMonths: true,
  inServiceDate: true,
  factor: true,
  rate: true,
  switchToSl: true,
  macrsClass: true,
  totalUnits: true,
  openingAccumulated: true,
  openingOn: true,
  heldForSaleOn: true,
} satisfies Record<keyof ProfileInputs, true>;

/** The inputs of a profile, without what is known about it. */
export function inputsOf(profile: ProfileInputs): ProfileInputs {
  const values: Readonly<Record<string, unknown>> = profile;
  // The cast holds because `inputs` has every name.
  return Object.fromEntries(Object.keys(inputs).map((name) => [name, values[name]])) as ProfileInputs;
}

/** A fall of the value that is no depreciation. It reduces the NBV before the charge of the month of `on`. */
export type Impairment = { amount: number; on: CalendarDate };

/** A change of a profile. The first one is the creation and has all fields. Changes are never removed. */
export type ProfileChange = {
  id: string;
  /** Only the fields that it changed, without those that it cleared. */
  fields: Partial<ProfileInputs>;
  cleared?: OptionalInput[] | undefined;
  impairment?: Impairment | undefined;
  /** The first day of a month. Charges of that month and later ones use it. The creation applies from the start. */
  effectiveOn: CalendarDate;
  /**
   * The month from which reports count a changed cost or opening, as charges do: that of effectiveOn (of the creation:
   * the first month of the schedule), but never one that was posted in the book when the change was saved.
   */
  countsFrom: Period;
  at: Date;
  by: Actor;
  /** Of a change that an asset's own fields made: the rev of the asset. */
  assetRev?: number | undefined;
};

/** How one asset is depreciated in one book. The inputs are those of the newest change, in force or not. */
export type Profile = ProfileInputs & {
  /** "prf_..." */
  id: string;
  workspaceId: string;
  assetId: string;
  book: Book;
  /** The category in which reports count its value: that of the asset when it was made, or posted last. */
  categoryId?: string | undefined;
  /** The month in which fiscal years begin, 1 to 12, of the day on which the profile was made. */
  fiscalYearStart: number;
  changes: ProfileChange[];
  /** Of book `book`: the rev of the asset that was applied last. */
  assetRev?: number | undefined;
  /** The asset's values make no valid profile. Runs skip it with INVALID_INPUT. */
  invalidInput?: boolean | undefined;
  rev: number;
  createdAt: Date;
  createdBy: Actor;
  updatedAt: Date;
  updatedBy: Actor;
};

/** The inputs after a change. */
export function withChange(
  inputs: ProfileInputs,
  { fields, cleared = [] }: Pick<ProfileChange, "fields" | "cleared">,
): ProfileInputs {
  const none = Object.fromEntries(cleared.map((name) => [name, undefined]));
  return { ...inputs, ...fields, ...none };
}

/** The part of a profile from which a schedule is computed. */
export type Schedulable = Pick<Profile, "fiscalYearStart" | "changes" | "invalidInput">;
