import type { Carry } from "../ledger/ledger.ts";
import type { Schedulable } from "../profiles/profile.ts";
import { nbvOf, postRow, remainingBase } from "./carry.ts";
import { chargeOf, monthBeforeUnits } from "./charge.ts";
import { fingerprintOf } from "./fingerprint.ts";
import {
  CATCH_UP,
  type Computed,
  type Line,
  type LineWarning,
  NO_READING,
  type SkipReason,
  type UnitsByMonth,
} from "./line.ts";
import { monthIndex, type Period, periodAt, periodOf } from "./period.ts";
import { firstMonth, type PlannedImpairment, stretchAt, type Timeline, timelineOf } from "./timeline.ts";
import type { Month } from "./weights.ts";

/**
 * The lines of one profile in a run of the month `through`: a charge for each month up to it that has none, and each
 * impairment that is not booked. Each line follows from the carry after the one before, so one catch-up run gives what
 * the missed runs would have given. `units` are needed for the months of `unitMonths`.
 */
export function computeLines(
  profile: Schedulable,
  carry: Carry,
  through: Period,
  units?: UnitsByMonth,
): Computed {
  if (profile.invalidInput === true) return { lines: [], skipped: "INVALID_INPUT", warnings: [], carry };
  const timeline = timelineOf(profile);
  const last = monthIndex(through);
  const found = linesUntil(timeline, carry, last, units);
  const { lines } = found;
  const skipped = lines.length === 0 ? skipReason(timeline, carry, last) : undefined;
  return { ...found, skipped, warnings: warningsOf(lines, through) };
}

/**
 * The lines still to come, as the profile is now. Units of production ends with the months of which the units are
 * known. A time held for sale that does not end has no lines.
 */
export function forecast(profile: Schedulable, carry: Carry, units?: UnitsByMonth): Line[] {
  if (profile.invalidInput === true) return [];
  const timeline = timelineOf(profile);
  return linesUntil(timeline, carry, endOfForecast(timeline, carry, units), units).lines;
}

function endOfForecast(timeline: Timeline, carry: Carry, units: UnitsByMonth | undefined): Month {
  const { stretches } = timeline;
  const next = nextMonth(timeline, carry);
  const byUnits = stretches.find(({ inputs }, index) => {
    const end = stretches[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    return inputs.method === "units_of_production" && end > next;
  });
  if (byUnits === undefined) return horizon(timeline, carry);
  return Math.max(byUnits.from - 1, ...[...(units?.keys() ?? [])].map(monthIndex));
}

/** The months whose units `computeLines` needs, in order. Empty for other methods. */
export function unitMonths(profile: Schedulable, carry: Carry, through: Period): Period[] {
  const timeline = timelineOf(profile);
  const last = monthIndex(through);
  const months = new Set<Month>();
  for (let month = nextMonth(timeline, carry); month <= last; month++) {
    if (stretchAt(timeline, month).inputs.method !== "units_of_production") continue;
    const before = monthBeforeUnits(timeline, carry, month);
    if (before !== undefined) months.add(before);
    months.add(month);
  }
  return [...months].map(periodAt);
}

/** The lines up to a month, in order, and the carry after them. */
export function linesUntil(
  timeline: Timeline,
  carry: Carry,
  last: Month,
  units?: UnitsByMonth,
): { lines: Line[]; carry: Carry } {
  const lines: Line[] = [];
  let after = carry;
  const add = (line: Line) => {
    lines.push(line);
    after = postRow(timeline, after, { ...line, causeId: line.causeId ?? "" });
  };
  const planned = timeline.impairments.filter(
    ({ id, month }) => !carry.impairments.includes(id) && month <= last,
  );
  const charged = nextMonth(timeline, carry);
  const lastChange = timeline.stretches.at(-1)?.from ?? 0;
  for (let month = Math.min(charged, planned[0]?.month ?? charged); month <= last; month++) {
    for (const line of impairmentsOf(timeline, after, month).lines) add(line);
    const charge = month < charged ? undefined : chargeOf(timeline, after, month, units);
    const { inputs } = stretchAt(timeline, month);
    if (charge !== undefined) {
      const openingNbv = nbvOf(inputs, after);
      add(lineOf({ period: periodAt(month), kind: "charge", openingNbv, ...charge }));
    } else if (month >= lastChange && remainingBase(inputs, after) === 0) {
      // Nothing but impairments can follow.
      month = Math.max(month, (planned.find((next) => next.month > month)?.month ?? last + 1) - 1);
    }
  }
  return { lines, carry: after };
}

/** The impairments of a month that are not booked, as lines, and the carry after them. */
export function impairmentsOf(
  timeline: Timeline,
  carry: Carry,
  month: Month,
): { lines: Line[]; carry: Carry } {
  const lines: Line[] = [];
  let after = carry;
  for (const planned of unbooked(timeline, carry)) {
    if (planned.month !== month) continue;
    const line = impairmentLine(timeline, after, planned);
    lines.push(line);
    after = postRow(timeline, after, { ...line, causeId: planned.id });
  }
  return { lines, carry: after };
}

const unbooked = ({ impairments }: Timeline, carry: Carry): PlannedImpairment[] =>
  impairments.filter(({ id }) => !carry.impairments.includes(id));

function impairmentLine(timeline: Timeline, carry: Carry, planned: PlannedImpairment): Line {
  const { inputs } = stretchAt(timeline, planned.month);
  const openingNbv = nbvOf(inputs, carry);
  // Charges since it was recorded may have left less.
  const amount = Math.max(0, Math.min(planned.amount, openingNbv));
  return lineOf({
    ...{ period: periodAt(planned.month), kind: "impairment", openingNbv, amount, causeId: planned.id },
    inputs: { rule: "impairment", on: planned.on, amount: planned.amount, nbv: openingNbv },
  });
}

function lineOf(line: Omit<Line, "closingNbv" | "fingerprint">): Line {
  return { ...line, closingNbv: line.openingNbv - line.amount, fingerprint: fingerprintOf(line.inputs) };
}

/** The first month that has no charge yet. */
function nextMonth(timeline: Timeline, { chargedThrough }: Carry): Month {
  return chargedThrough === undefined ? firstMonth(timeline) : monthIndex(chargedThrough) + 1;
}

/** No line can be after it: the life and all changes are over, and the month after them took the rest. */
function horizon(timeline: Timeline, carry: Carry): Month {
  const ends = timeline.stretches.flatMap(({ from, life }) => [from, life.left.first, life.left.last]);
  const impairments = timeline.impairments.map(({ month }) => month);
  return Math.max(nextMonth(timeline, carry), ...ends, ...impairments) + 1;
}

function skipReason(timeline: Timeline, carry: Carry, month: Month): SkipReason {
  const { inputs, life } = stretchAt(timeline, month);
  if (inputs.method === "manual") return "MANUAL";
  if (month < life.left.first) return "NOT_IN_SERVICE";
  const { heldForSaleOn } = inputs;
  const isStopped = heldForSaleOn !== undefined && periodOf(heldForSaleOn) <= periodAt(month);
  return isStopped && remainingBase(inputs, carry) > 0 ? "HELD_FOR_SALE" : "FULLY_DEPRECIATED";
}

function warningsOf(lines: readonly Line[], through: Period): LineWarning[] {
  const earlier = lines.filter(({ kind, period }) => kind === "charge" && period < through).length;
  const withoutUnits = lines.some(
    ({ inputs }) => inputs.rule === "units_of_production" && inputs.units === 0,
  );
  return [
    ...(earlier > 0 ? [{ code: CATCH_UP, months: earlier } as const] : []),
    ...(withoutUnits ? [{ code: NO_READING } as const] : []),
  ];
}
