import type { ProfileInputs } from "../profiles/profile.ts";
import { macrsTable } from "./methods/macrs-tables.ts";
import {
  addMonthsToDate,
  type CalendarDate,
  dayNumber,
  firstDay,
  fiscalMonth,
  fiscalQuarter,
  fiscalYearOf,
  isFirstDay,
  monthIndex,
  periodAt,
  periodOf,
} from "./period.ts";
import {
  dayWeights,
  evenWeights,
  firstYearWeights,
  type Month,
  type Weights,
  weightsFrom,
} from "./weights.ts";

/** The weights of a life, and those that count from the opening on if there is one. */
export type Life = {
  /** From the in-service date, as if there were no opening. */
  whole: Weights;
  /** From the opening on. Without an opening the same. `first` is the first month that can have a charge. */
  left: Weights;
};

/** Halves of a month that half_year and mid_quarter (Q1 to Q4) give to the first year: 6, and 10.5, 7.5, 4.5, 1.5. */
const HALF_YEAR = 12;
const MID_QUARTER = [21, 15, 9, 3];

const firstYearHalves = (inputs: ProfileInputs, fiscalYearStart: number): number =>
  inputs.convention === "half_year"
    ? HALF_YEAR
    : (MID_QUARTER[fiscalQuarter(periodOf(inputs.inServiceDate), fiscalYearStart) - 1] ?? HALF_YEAR);

/**
 * The weights of the months of a life, by method and convention ("First period" of finance.md).
 *
 * | Convention | Weights |
 * |---|---|
 * | full_month, next_month | 1 a month |
 * | mid_month | 0.5 for the first and the last month |
 * | daily | days |
 * | half_year, mid_quarter | the first fiscal year's months share 6 (10.5, 7.5, 4.5, 1.5) months, then 1 a month. A half month at the end is 0.5 |
 *
 * MACRS uses whole months within each year of its table. With 39y the first and the last month count a half.
 */
export function lifeOf(inputs: ProfileInputs, fiscalYearStart: number): Life {
  const whole =
    inputs.method === "macrs" ? macrsWeights(inputs, fiscalYearStart) : lifeWeights(inputs, fiscalYearStart);
  return { whole, left: fromOpening(inputs, whole) };
}

function lifeWeights(inputs: ProfileInputs, fiscalYearStart: number): Weights {
  const { convention, inServiceDate, lifeMonths = 1 } = inputs;
  const start = monthIndex(periodOf(inServiceDate));
  switch (convention) {
    case "full_month":
      return evenWeights({ first: start, last: start + lifeMonths - 1, unit: 1 });
    case "next_month":
      return evenWeights({ first: start + 1, last: start + lifeMonths, unit: 1 });
    case "mid_month":
      return evenWeights({ first: start, last: start + lifeMonths, unit: 2, firstWeight: 1, lastWeight: 1 });
    case "daily": {
      const end = dayNumber(addMonthsToDate(inServiceDate, lifeMonths));
      const endMonth = start + lifeMonths;
      const last = end > dayOf(endMonth) ? endMonth : endMonth - 1;
      return dayWeights({ first: start, last, start: dayNumber(inServiceDate), end, dayOf });
    }
    case "half_year":
    case "mid_quarter": {
      const months = 13 - fiscalMonth(periodOf(inServiceDate), fiscalYearStart);
      const halves = Math.min(firstYearHalves(inputs, fiscalYearStart), 2 * lifeMonths);
      const rest = months * (2 * lifeMonths - halves);
      return firstYearWeights({ first: start, months, each: halves, unit: 2 * months, rest });
    }
  }
}

/** Within a year of the table, months weigh 2, half months 1. */
function macrsWeights(inputs: ProfileInputs, fiscalYearStart: number): Weights {
  const { inServiceDate, macrsClass = "5y", convention } = inputs;
  const period = periodOf(inServiceDate);
  const first = monthIndex(period);
  const years = macrsTable(macrsClass, convention, period, fiscalYearStart).percentages.length;
  const lastYear = monthIndex(fiscalYearOf(period, fiscalYearStart)) + 12 * (years - 1);
  if (macrsClass === "39y") {
    const last = lastYear + fiscalMonth(period, fiscalYearStart) - 1;
    return evenWeights({ first, last, unit: 2, firstWeight: 1, lastWeight: 1 });
  }
  const lastHalves = 24 - firstYearHalves(inputs, fiscalYearStart);
  const last = lastYear + Math.ceil(lastHalves / 2) - 1;
  return evenWeights({ first, last, unit: 2, lastWeight: lastHalves % 2 === 0 ? 2 : 1 });
}

/** An opening in the middle of a month is weighed as a first month is; one on the first day begins a whole month. */
function fromOpening(inputs: ProfileInputs, whole: Weights): Weights {
  const { convention, inServiceDate, openingOn } = inputs;
  if (openingOn === undefined || openingOn <= inServiceDate) return whole;
  const month = monthIndex(periodOf(openingOn));
  const natural = whole.weight(month);
  if (isFirstDay(openingOn)) return weightsFrom(whole, month, natural);
  if (convention === "next_month") return weightsFrom(whole, month + 1, whole.weight(month + 1));
  if (convention === "mid_month" && whole.unit !== undefined) {
    return weightsFrom(whole, month, Math.min(natural, whole.unit / 2));
  }
  if (convention !== "daily") return weightsFrom(whole, month, natural);
  const passed = dayNumber(openingOn) - dayOf(month);
  return weightsFrom(whole, month, Math.max(0, natural - passed));
}

/**
 * The weight of the month in which the charge stops ("In the month of disposal" of finance.md). Conventions of years
 * do not share out months: see `yearOfStop`.
 */
export function stopWeight(inputs: ProfileInputs, weights: Weights, stopOn: CalendarDate): number {
  const month = monthIndex(periodOf(stopOn));
  const natural = weights.weight(month);
  switch (inputs.convention) {
    case "next_month":
      return natural;
    case "mid_month": {
      const half = (weights.unit ?? 0) / 2;
      // A first month has its second half only, and the charge stops before it.
      return month === weights.first && natural <= half ? 0 : Math.min(natural, half);
    }
    case "daily":
      return Math.max(0, Math.min(natural, dayNumber(stopOn) - startDay(inputs, month)));
    default:
      return 0;
  }
}

/** Whether the convention gives a part of the year's amount when the charge stops, not of the month's. */
export function stopsByYear({ method, convention }: ProfileInputs): boolean {
  return method === "macrs" || convention === "half_year" || convention === "mid_quarter";
}

/** The part of a year's amount that is charged in the year in which the charge stops, as [numerator, denominator]. */
export function fractionOfYear(
  { convention }: ProfileInputs,
  stopOn: CalendarDate,
  fiscalYearStart: number,
): [numerator: number, denominator: number] {
  const period = periodOf(stopOn);
  if (convention === "half_year") return [1, 2];
  if (convention === "mid_quarter") return [2 * fiscalQuarter(period, fiscalYearStart) - 1, 8];
  return [2 * fiscalMonth(period, fiscalYearStart) - 1, 24];
}

const dayOf = (month: Month): number => dayNumber(firstDay(periodAt(month)));

/** The first day of a month that counts. */
function startDay({ inServiceDate, openingOn }: ProfileInputs, month: Month): number {
  const start = openingOn !== undefined && openingOn > inServiceDate ? openingOn : inServiceDate;
  return Math.max(dayNumber(start), dayOf(month));
}
