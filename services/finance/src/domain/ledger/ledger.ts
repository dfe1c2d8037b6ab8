import type { Book } from "../profiles/profile.ts";
import type { Period } from "../schedule/period.ts";

export type LedgerKind = "charge" | "impairment" | "disposal" | "reversal";

/** A figure that was posted. Rows are never changed or removed. */
export type LedgerRow = {
  profileId: string;
  assetId: string;
  book: Book;
  kind: LedgerKind;
  /** The month that it is for. */
  period: Period;
  /** The month that it is reported in. */
  bookedIn: Period;
  /** As of computing; of disposal and reversal rows as of the disposal. */
  categoryId?: string | undefined;
  /** Minor units. Positive reduces the NBV. */
  amount: number;
  /** The run, the change of the profile with the impairment, or the disposal. */
  causeId: string;
  /** Of charges by units of production: the units that were charged, in thousandths. */
  units?: number | undefined;
};

/** The part of a row from which later figures are computed. */
export type PostedRow = Pick<LedgerRow, "kind" | "period" | "amount" | "causeId" | "units">;

/**
 * The summary of a profile's ledger that later charges need, so that a run reads no ledger rows. The profile stores it,
 * and the transaction that adds rows replaces it (`carryAfter`). `carryOf` computes it from all rows.
 */
export type Carry = {
  /** The sum of all rows, without the opening. */
  accumulated: number;
  /** The last month that has a charge. */
  chargedThrough?: Period | undefined;
  /** Units charged, in thousandths. */
  units: number;
  /** Ids of the changes whose impairment is booked. */
  impairments: string[];
  /** Charges in the fiscal year of chargedThrough. */
  yearCharged: number;
  /** The stretch of months whose amounts are computed from one opening value. */
  segment?: Segment | undefined;
};

export type Segment = {
  start: Period;
  /** NBV before the first charge of the segment, after impairments of that month. */
  openingNbv: number;
  /** Charges since. */
  charged: number;
};

/** Of a profile without ledger rows. */
export const emptyCarry: Carry = { accumulated: 0, units: 0, impairments: [], yearCharged: 0 };

/** Whether the ledger has rows of the profile. */
export const hasRows = ({ chargedThrough, impairments }: Carry): boolean =>
  chargedThrough !== undefined || impairments.length > 0;
