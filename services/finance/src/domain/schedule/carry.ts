import type { Carry, PostedRow, Segment } from "../ledger/ledger.ts";
import { emptyCarry } from "../ledger/ledger.ts";
import type { ProfileInputs, Schedulable } from "../profiles/profile.ts";
import { monthIndex, periodAt } from "./period.ts";
import { lastRestart, stretchAt, type Timeline, timelineOf, yearStart } from "./timeline.ts";
import type { Month } from "./weights.ts";

/** The carry of a profile after all its rows. It equals the one that each posting stored. */
export function carryOf(profile: Schedulable, rows: Iterable<PostedRow>): Carry {
  const timeline = timelineOf(profile);
  return [...rows].sort(byPeriod).reduce((carry, row) => postRow(timeline, carry, row), emptyCarry);
}

/** The impairment of a month reduces the NBV before its charge. */
function byPeriod(a: PostedRow, b: PostedRow): number {
  return a.period.localeCompare(b.period) || Number(a.kind === "charge") - Number(b.kind === "charge");
}

/** The carry after one more row. Rows are posted in order of their period. */
export function postRow(timeline: Timeline, carry: Carry, row: PostedRow): Carry {
  const accumulated = carry.accumulated + row.amount;
  if (row.kind === "impairment") {
    return { ...carry, accumulated, impairments: [...carry.impairments, row.causeId] };
  }
  if (row.kind !== "charge") return { ...carry, accumulated };
  const month = monthIndex(row.period);
  const segment = segmentAt(timeline, carry, month);
  return {
    ...carry,
    accumulated,
    chargedThrough: row.period,
    units: carry.units + (row.units ?? 0),
    yearCharged: chargedInYear(timeline, carry, month) + row.amount,
    segment: segment && { ...segment, charged: segment.charged + row.amount },
  };
}

/** Charges in the fiscal year of a month, before it. */
export function chargedInYear(
  timeline: Timeline,
  { chargedThrough, yearCharged }: Carry,
  month: Month,
): number {
  if (chargedThrough === undefined) return 0;
  return yearStart(timeline, monthIndex(chargedThrough)) === yearStart(timeline, month) ? yearCharged : 0;
}

/**
 * The segment of a month: that of the last charge, or a new one that begins here. Straight line and units of production
 * have none, since each charge follows from the NBV.
 */
export function segmentAt(timeline: Timeline, carry: Carry, month: Month): Segment | undefined {
  const { inputs } = stretchAt(timeline, month);
  const floor = segmentFloor(timeline, inputs, month);
  if (floor === undefined) return undefined;
  const { segment } = carry;
  if (segment !== undefined && monthIndex(segment.start) >= floor) return segment;
  return { start: periodAt(month), openingNbv: nbvOf(inputs, carry), charged: 0 };
}

function segmentFloor(timeline: Timeline, { method }: ProfileInputs, month: Month): Month | undefined {
  switch (method) {
    case "declining_balance":
      return lastRestart(timeline, month, yearStart(timeline, month));
    case "sum_of_years_digits":
    case "macrs":
      return lastRestart(timeline, month, 0);
    default:
      return undefined;
  }
}

/** The net book value by the inputs in force. */
export function nbvOf(
  { cost, openingAccumulated }: ProfileInputs,
  { accumulated }: Pick<Carry, "accumulated">,
): number {
  return cost - openingAccumulated - accumulated;
}

/** The amount that is still to be charged, never below 0. MACRS ignores the salvage. */
export function remainingBase(inputs: ProfileInputs, carry: Carry): number {
  const salvage = inputs.method === "macrs" ? 0 : inputs.salvage;
  return Math.max(0, nbvOf(inputs, carry) - salvage);
}
