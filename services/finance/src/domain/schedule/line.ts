import type { Carry } from "../ledger/ledger.ts";
import type { DerivationInputs } from "./derivation.ts";
import type { Period } from "./period.ts";

export type LineKind = "charge" | "impairment";

/** A figure that a run would post. openingNbv - amount = closingNbv. */
export type Line = {
  period: Period;
  kind: LineKind;
  openingNbv: number;
  /** Never negative. */
  amount: number;
  closingNbv: number;
  /** Of an impairment: the id of the change. */
  causeId?: string | undefined;
  /** Of units of production: units that the line charges, in thousandths. */
  units?: number | undefined;
  /** The derivation is made of these on reading. */
  inputs: DerivationInputs;
  /** Equal inputs have equal fingerprints. */
  fingerprint: string;
};

/** Why an asset has no line. NO_PROFILE and DISPOSED are found before the engine is asked. */
export type SkipReason =
  | "NO_PROFILE"
  | "DISPOSED"
  | "NOT_IN_SERVICE"
  | "HELD_FOR_SALE"
  | "FULLY_DEPRECIATED"
  | "MANUAL"
  | "INVALID_INPUT";

/** No codes of errors: only runs show them. */
export const [CATCH_UP, NO_READING] = ["CATCH_UP", "NO_READING"] as const;

/** `months`: of CATCH_UP, the charges for months before that of the run. */
export type LineWarning = { code: typeof CATCH_UP; months: number } | { code: typeof NO_READING };

export type Computed = {
  /** In order of period; the impairments of a month are before its charge. */
  lines: Line[];
  /** Present exactly if there are no lines. */
  skipped?: SkipReason | undefined;
  warnings: LineWarning[];
  /** The carry of the profile once the lines are posted. */
  carry: Carry;
};

/**
 * Units used, in thousandths, from the in-service date (or opening_on) until the end of each month. Undefined: the
 * asset has no readings. A month that is not a key was not asked for.
 */
export type UnitsByMonth = ReadonlyMap<Period, number | undefined>;
