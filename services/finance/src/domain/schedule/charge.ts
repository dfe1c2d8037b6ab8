import type { Carry } from "../ledger/ledger.ts";
import { shareOf } from "../profiles/share.ts";
import { chargedInYear, postRow, remainingBase } from "./carry.ts";
import { fractionOfYear, stopsByYear, stopWeight } from "./conventions.ts";
import type { UnitsByMonth } from "./line.ts";
import { baseOf, type Charge, type ChargeContext } from "./methods/context.ts";
import { chargeDecliningBalance } from "./methods/declining-balance.ts";
import { chargeMacrs } from "./methods/macrs.ts";
import { chargeStraightLine } from "./methods/straight-line.ts";
import { chargeSumOfYearsDigits } from "./methods/sum-of-years-digits.ts";
import { chargeUnitsOfProduction } from "./methods/units-of-production.ts";
import { type CalendarDate, earlier, monthIndex, periodAt, periodOf } from "./period.ts";
import { frozenAt, isHeld, type Stretch, stretchAt, type Timeline, yearStart } from "./timeline.ts";
import type { Month, Weights } from "./weights.ts";

const noUnits: UnitsByMonth = new Map();

/** The charge of a month; undefined if it has none. Impairments of the month are in the carry already. */
export function chargeOf(
  timeline: Timeline,
  carry: Carry,
  month: Month,
  units: UnitsByMonth = noUnits,
): Charge | undefined {
  const { inputs, life } = stretchAt(timeline, month);
  const { heldForSaleOn } = inputs;
  if (!isCharged(inputs, life.left.first, carry, month)) return undefined;
  if (heldForSaleOn !== undefined && monthIndex(periodOf(heldForSaleOn)) === month) {
    return chargeUntil(timeline, carry, heldForSaleOn, units);
  }
  return wholeMonth(timeline, carry, month, units);
}

/**
 * The charge of the month of a date, if the charge stops on that day: held for sale, or disposed of. Undefined if there
 * is none. Units of production charges what was used, whatever the day.
 */
export function chargeUntil(
  timeline: Timeline,
  carry: Carry,
  stopOn: CalendarDate,
  units: UnitsByMonth = noUnits,
): Charge | undefined {
  const month = monthIndex(periodOf(stopOn));
  const { inputs, life } = stretchAt(timeline, month);
  if (!isCharged(inputs, life.left.first, carry, month)) return undefined;
  if (inputs.method === "units_of_production") return wholeMonth(timeline, carry, month, units);
  if (stopsByYear(inputs)) {
    const { allowed, ...year } = yearOfStop(timeline, carry, stopOn);
    const amount = Math.max(0, allowed - year.charged);
    return amount === 0 ? undefined : { amount, inputs: { rule: "year_of_stop", ...year } };
  }
  const weight = stopWeight(inputs, life.left, stopOn);
  return weight === 0 ? undefined : wholeMonth(timeline, carry, month, units, weight);
}

/**
 * The charge of the month of a disposal, given the charges before it. By a convention of years it is the amount that is
 * missing in the year: negative if more is charged already, also if the charge stopped earlier in that year.
 */
export function disposalCharge(
  timeline: Timeline,
  carry: Carry,
  date: CalendarDate,
  units: UnitsByMonth = noUnits,
): number {
  const month = monthIndex(periodOf(date));
  const { inputs } = stretchAt(timeline, month);
  const stopOn = earlier(date, inputs.heldForSaleOn);
  const byMonth = inputs.method === "manual" || inputs.method === "units_of_production";
  if (byMonth || !stopsByYear(inputs)) {
    return isHeld(inputs, month) ? 0 : (chargeUntil(timeline, carry, stopOn, units)?.amount ?? 0);
  }
  if (isHeld(inputs, month)) return excessOfStop(timeline, carry, month, stopOn);
  const { allowed, charged } = yearOfStop(timeline, carry, stopOn);
  return allowed - charged;
}

/**
 * What the year of a month has too much, 0 or less, if the charge stopped earlier in that year: a run charges what is missing
 * at a stop, but does not take back what is too much.
 */
function excessOfStop(timeline: Timeline, carry: Carry, month: Month, stopOn: CalendarDate): number {
  const stopped = monthIndex(periodOf(stopOn));
  const isOfYear = yearStart(timeline, stopped) === yearStart(timeline, month);
  const isCharged = carry.chargedThrough !== undefined && monthIndex(carry.chargedThrough) >= stopped;
  if (!isOfYear || isCharged || !stopsByYear(stretchAt(timeline, stopped).inputs)) return 0;
  const { allowed, charged } = yearOfStop(timeline, carry, stopOn);
  return Math.min(0, allowed - charged);
}

/**
 * The year in which the charge stops, by a convention of years. Its amount is the charge of the year without the stop.
 *
 * | Case | Part of it |
 * |---|---|
 * | in service and stopped in one year | nothing (IRS Publication 946) |
 * | last year of a life | fraction x 12 / months of recovery, at most what is left |
 * | an opening in the year | less the part of the year that was charged elsewhere |
 */
function yearOfStop(timeline: Timeline, carry: Carry, stopOn: CalendarDate) {
  const month = monthIndex(periodOf(stopOn));
  const { inputs, life } = stretchAt(timeline, month);
  const year = yearStart(timeline, month);
  const charged = chargedInYear(timeline, carry, month);
  const yearAmount = charged + restOfYear(timeline, carry, month, year + 12);
  const weightIn = (weights: Weights) => weights.sumFrom(year) - weights.sumFrom(year + 12);
  const [whole, ours] = [weightIn(life.whole), weightIn(life.left)];
  let [numerator, denominator] = fractionOfYear(inputs, stopOn, timeline.fiscalYearStart);
  if (year === yearStart(timeline, life.whole.first)) numerator = 0;
  else if (life.whole.last < year + 12 && whole > 0) {
    [numerator, denominator] = [numerator * 12 * (life.whole.unit ?? 1), denominator * whole];
  }
  if (ours > 0 && ours < whole) {
    numerator = Math.max(0, numerator * whole - denominator * (whole - ours));
    denominator *= ours;
  }
  const allowed = Math.min(yearAmount, shareOf(yearAmount, numerator, denominator));
  return { yearAmount, numerator, denominator, allowed, charged };
}

/** The sum of charges until before a month, if nothing changed any more. */
function restOfYear(timeline: Timeline, carry: Carry, from: Month, until: Month): number {
  const frozen = frozenAt(timeline, from);
  let [after, sum] = [carry, 0];
  for (let month = from; month < until; month++) {
    const { inputs, life } = stretchAt(frozen, month);
    if (!isCharged(inputs, life.left.first, after, month)) continue;
    const charge = wholeMonth(frozen, after, month, noUnits);
    sum += charge.amount;
    after = postRow(frozen, after, {
      kind: "charge",
      period: periodAt(month),
      amount: charge.amount,
      causeId: "",
    });
  }
  return sum;
}

function isCharged(inputs: Stretch["inputs"], first: Month, carry: Carry, month: Month): boolean {
  if (inputs.method === "manual" || month < first || isHeld(inputs, month)) return false;
  return remainingBase(inputs, carry) > 0;
}

function wholeMonth(
  timeline: Timeline,
  carry: Carry,
  month: Month,
  units: UnitsByMonth,
  stopped?: number,
): Charge {
  const { inputs, life } = stretchAt(timeline, month);
  const { whole, left } = life;
  const base = remainingBase(inputs, carry);
  const context: ChargeContext = {
    ...{ timeline, inputs, carry, month, base, whole, left },
    weight: stopped ?? left.weight(month),
    units: units.get(periodAt(month)),
  };
  if (inputs.method === "units_of_production") {
    return chargeUnitsOfProduction(context, unitsBefore(timeline, carry, month, units));
  }
  if (month > left.last) return { amount: base, inputs: { rule: "rest", ...baseOf(context) } };
  switch (inputs.method) {
    case "declining_balance":
      return chargeDecliningBalance(context);
    case "sum_of_years_digits":
      return chargeSumOfYearsDigits(context);
    case "macrs":
      return chargeMacrs(context);
    default:
      return chargeStraightLine(context);
  }
}

/** Units that were used before the first charge by units, if another method charged before. */
function unitsBefore(timeline: Timeline, carry: Carry, month: Month, units: UnitsByMonth): number {
  const before = monthBeforeUnits(timeline, carry, month);
  return before === undefined ? 0 : (units.get(periodAt(before)) ?? 0);
}

/** The last month of another method, if the next charge is the first one by units. */
export function monthBeforeUnits(timeline: Timeline, carry: Carry, month: Month): Month | undefined {
  if (carry.chargedThrough === undefined) return undefined;
  const upTo = timeline.stretches.filter(({ from }) => from <= month);
  const other = upTo.findLastIndex(({ inputs }) => inputs.method !== "units_of_production");
  const began = upTo[other + 1];
  if (other === -1 || began === undefined) return undefined;
  return monthIndex(carry.chargedThrough) < began.from ? began.from - 1 : undefined;
}
