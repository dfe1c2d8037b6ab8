import { type Profile, type ProfileInputs, withChange } from "../profiles/profile.ts";
import { nbvOf } from "../schedule/carry.ts";
import type { Period } from "../schedule/period.ts";
import { byEffect } from "../schedule/timeline.ts";
import type { Carry, LedgerRow } from "./ledger.ts";

/** The net book value now: with the newest cost, whenever it takes effect. 0 once the disposal is accounted. */
export function currentNbv(
  profile: ProfileInputs,
  carry: Pick<Carry, "accumulated">,
  isDisposed = false,
): number {
  return isDisposed ? 0 : nbvOf(profile, carry);
}

/** Depreciation and impairments of the past, with those before the opening. */
export function currentAccumulated({ openingAccumulated }: ProfileInputs, { accumulated }: Carry): number {
  return openingAccumulated + accumulated;
}

/**
 * The net book value at the end of a month, as reports show it: the cost in force then, less the opening
 * and all rows that are booked until then. 0 before the profile was made, and from the month on in which the disposal
 * is booked. So a posted month keeps its value.
 */
export function nbvAt(
  profile: Profile,
  rows: Iterable<Pick<LedgerRow, "bookedIn" | "amount">>,
  month: Period,
  disposalBookedIn?: Period,
): number {
  if (disposalBookedIn !== undefined && disposalBookedIn <= month) return 0;
  let value = grossAt(profile, month);
  for (const row of rows) if (row.bookedIn <= month) value -= row.amount;
  return value;
}

/** Cost less opening, by the changes that count in a month. They follow one another by their effect, as charges do. */
export function grossAt({ changes }: Pick<Profile, "changes">, month: Period): number {
  const [creation, ...others] = changes;
  if (creation === undefined || creation.countsFrom > month) return 0;
  const counting = others.filter(({ countsFrom }) => countsFrom <= month).sort(byEffect);
  const inputs = counting.reduce(withChange, creation.fields as ProfileInputs);
  return inputs.cost - inputs.openingAccumulated;
}
